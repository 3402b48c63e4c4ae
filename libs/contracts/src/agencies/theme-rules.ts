import { isRecord, type IssueWithin } from '../issues-within.js';
import { contrast, readColor } from './css-colors.js';
import {
  COLOR_MODES,
  CONTRAST_PAIRS,
  DEFAULT_COLORS,
  isThemeColor,
  type ColorMode,
  type ThemeColor,
} from './theme-colors.js';

/** Minimum contrast for text of normal size: WCAG 2.2, success criterion 1.4.3 (level AA). */
const MIN_CONTRAST = 4.5;

/**
 * Finds all problems of a theme's colours: unknown keys, invalid values, and text with too little
 * contrast. Empty if there are none, or `colors` is not an object.
 */
export function themeColorIssues(colors: unknown): IssueWithin[] {
  if (!isRecord(colors)) return [];
  return [...Object.entries(colors).flatMap(([key, color]) => entryIssues(key, color)), ...contrastIssues(colors)];
}

const extra = (...path: string[]): IssueWithin => ({
  path,
  msg: 'Extra inputs are not permitted',
  type: 'extra_forbidden',
});

function entryIssues(key: string, color: unknown): IssueWithin[] {
  if (!isThemeColor(key)) return [extra(key)];
  if (!isRecord(color)) return [{ path: [key], msg: 'Input should be a valid dictionary', type: 'dict_type' }];
  const unknown = Object.keys(color).filter((mode) => !(COLOR_MODES as readonly string[]).includes(mode));
  return [
    ...COLOR_MODES.flatMap((mode) => valueIssues([key, mode], color[mode])),
    ...unknown.map((mode) => extra(key, mode)),
  ];
}

function valueIssues(path: string[], css: unknown): IssueWithin[] {
  if (css === undefined) return [{ path, msg: 'Field required', type: 'missing' }];
  if (typeof css !== 'string') return [{ path, msg: 'Input should be a valid string', type: 'string_type' }];
  if (readColor(css)) return [];
  return [
    { path, msg: 'Input should be a colour without alpha: #rgb, #rrggbb, rgb() or oklch()', type: 'value_error' },
  ];
}

function contrastIssues(colors: Record<string, unknown>): IssueWithin[] {
  const pairs = CONTRAST_PAIRS.filter((pair) => pair.some((key) => Object.hasOwn(colors, key)));
  return pairs.flatMap(([ground, text]) => COLOR_MODES.flatMap((mode) => pairIssues(colors, ground, text, mode)));
}

/**
 * Issue if the contrast of a pair is too low. Empty if one of the two colours is invalid, because
 * that is a separate issue. The path is that of the background colour, or of the text colour if
 * only that one is set.
 */
function pairIssues(
  colors: Record<string, unknown>,
  ground: ThemeColor,
  text: ThemeColor,
  mode: ColorMode,
): IssueWithin[] {
  const [groundColor, textColor] = [colorOf(colors, ground, mode), colorOf(colors, text, mode)];
  const ratio = groundColor && textColor ? contrast(groundColor, textColor) : MIN_CONTRAST;
  if (ratio >= MIN_CONTRAST) return [];
  const [at, other] = Object.hasOwn(colors, ground) ? [ground, text] : [text, ground];
  const name = Object.hasOwn(colors, other) ? other : `the platform's own ${other}`;
  const msg = `The contrast with ${name} is ${shortened(ratio)}:1; it must be at least ${MIN_CONTRAST}:1`;
  return [{ path: [at, mode], msg, type: 'value_error' }];
}

function colorOf(colors: Record<string, unknown>, key: ThemeColor, mode: ColorMode) {
  if (!Object.hasOwn(colors, key)) return readColor(DEFAULT_COLORS[key][mode]);
  const color = colors[key];
  const css = isRecord(color) ? color[mode] : undefined;
  return typeof css === 'string' ? readColor(css) : null;
}

/**
 * The ratio with two decimal places, truncated. Rounding would show 4.499 as 4.50 although it is
 * refused.
 */
const shortened = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2);
