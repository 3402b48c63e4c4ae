// The CommonJS build is one file. The ES modules of the package are 200 files, and loading them
// takes four times as long in every service and spec.
// eslint-disable-next-line @typescript-eslint/no-require-imports
import culori = require('culori/require');

const MAX_LENGTH = 100;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)`;
const SEPARATOR = '(?: *, *| +)';
/**
 * The parser of culori repairs some invalid colours and accepts alpha and names. This pattern is
 * stricter.
 */
const OPAQUE_COLOR = new RegExp(
  [
    '^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})',
    String.raw`rgb\( *${NUMBER}%?${SEPARATOR}${NUMBER}%?${SEPARATOR}${NUMBER}%? *\)`,
    String.raw`oklch\( *${NUMBER}%? +${NUMBER}%? +${NUMBER}(?:deg|grad|rad|turn)? *\))$`,
  ].join('|'),
);

const toRgb = culori.converter('rgb');

/**
 * Parses a colour and clamps it to sRGB. Null for anything but `#rgb`, `#rrggbb`, `rgb()` and
 * `oklch()` without alpha.
 */
export function readColor(css: string): culori.Rgb | null {
  const text = css.length <= MAX_LENGTH ? css.toLowerCase() : '';
  const color = OPAQUE_COLOR.test(text) ? toRgb(culori.parse(text)) : undefined;
  return color ? culori.clampRgb(color) : null;
}

/**
 * Contrast ratio from 1 to 21 as WCAG 2.2 defines it:
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
export const contrast = (some: culori.Rgb, other: culori.Rgb): number => culori.wcagContrast(some, other);
