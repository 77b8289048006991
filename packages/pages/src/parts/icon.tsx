// An icon beside a word: it is drawn in the colour of the text, and who does not see it misses nothing.
import { raw } from 'hono/html';
import { iconShapes } from './icon-shapes.ts';

export function Icon({ name }: { readonly name: keyof typeof iconShapes }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
      {raw(iconShapes[name])}
    </svg>
  );
}
