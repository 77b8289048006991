// What each part of the page of an asset is made of.
import type { Given } from '../../api/answer/parameters.ts';
import type { Ask } from '../page/ask.ts';
import type { View } from '../view/view.ts';

export interface AssetParts {
  readonly view: View;
  readonly ask: Ask;
  readonly given: Given;
  readonly asset: string;
  /** What the history is of; without a beginning, the 30 days before its end. */
  readonly span: { readonly from: string | undefined; readonly to: string | undefined };
}
