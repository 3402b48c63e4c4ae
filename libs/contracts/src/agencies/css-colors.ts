// One file of CommonJS. The package's ES modules are 200 files, which every service and every spec would load: four times as slow.
// eslint-disable-next-line @typescript-eslint/no-require-imports
import culori = require('culori/require');

const MAX_LENGTH = 100;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)`;
const SEPARATOR = '(?: *, *| +)';
/** The parser is for colours that somebody wrote, and forgives some of what is none. It also knows alpha and names. */
const OPAQUE_COLOR = new RegExp(
  [
    '^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})',
    String.raw`rgb\( *${NUMBER}%?${SEPARATOR}${NUMBER}%?${SEPARATOR}${NUMBER}%? *\)`,
    String.raw`oklch\( *${NUMBER}%? +${NUMBER}%? +${NUMBER}(?:deg|grad|rad|turn)? *\))$`,
  ].join('|'),
);

const toRgb = culori.converter('rgb');

/**
 * A colour as screens show it: what sRGB has not is cut off. Null for anything but `#rgb`, `#rrggbb`, `rgb()` and `oklch()` without
 * alpha.
 */
export function readColor(css: string): culori.Rgb | null {
  const text = css.length <= MAX_LENGTH ? css.toLowerCase() : '';
  const color = OPAQUE_COLOR.test(text) ? toRgb(culori.parse(text)) : undefined;
  return color ? culori.clampRgb(color) : null;
}

/** From 1 to 21, as in WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export const contrast = (some: culori.Rgb, other: culori.Rgb): number => culori.wcagContrast(some, other);
