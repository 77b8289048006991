// An icon next to a word, in the colour of the text; without it nothing is lost.
import { raw } from 'hono/html';
import { iconShapes } from './icon-shapes.ts';

export function Icon({ name }: { readonly name: keyof typeof iconShapes }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
      {raw(iconShapes[name])}
    </svg>
  );
}
