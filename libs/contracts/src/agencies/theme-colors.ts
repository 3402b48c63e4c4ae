/** Parts of the panel whose colours a theme can set. */
export const THEME_COLORS = [
  'background',
  'foreground',
  'card',
  'card-foreground',
  'popover',
  'popover-foreground',
  'primary',
  'primary-foreground',
  'secondary',
  'secondary-foreground',
  'muted',
  'muted-foreground',
  'accent',
  'accent-foreground',
  'destructive',
  'destructive-foreground',
  'success',
  'success-foreground',
  'warning',
  'warning-foreground',
  'info',
  'info-foreground',
  'border',
  'input',
  'ring',
  'sidebar',
] as const;

export type ThemeColor = (typeof THEME_COLORS)[number];
export const isThemeColor = (key: string): key is ThemeColor => (THEME_COLORS as readonly string[]).includes(key);

export const COLOR_MODES = ['light', 'dark'] as const;
export type ColorMode = (typeof COLOR_MODES)[number];

/**
 * Pairs of a background colour and the colour of the text on it. `foreground` is the text on
 * `background`.
 */
export const CONTRAST_PAIRS: readonly (readonly [ThemeColor, ThemeColor])[] = THEME_COLORS.filter((key) =>
  key.endsWith('foreground'),
).map((text) => [text === 'foreground' ? 'background' : (text.replace('-foreground', '') as ThemeColor), text]);

/** Colours of the panel that apply if a theme does not set them, for light and dark mode. */
export const DEFAULT_COLORS: Record<ThemeColor, Record<ColorMode, string>> = {
  background: { light: '#f7f8fa', dark: '#0b0d11' },
  foreground: { light: '#15181e', dark: '#eceef2' },
  card: { light: '#ffffff', dark: '#14171d' },
  'card-foreground': { light: '#15181e', dark: '#eceef2' },
  popover: { light: '#ffffff', dark: '#191d24' },
  'popover-foreground': { light: '#15181e', dark: '#eceef2' },
  primary: { light: '#2a54d4', dark: '#8fa9ff' },
  'primary-foreground': { light: '#ffffff', dark: '#0a1230' },
  secondary: { light: '#eef0f4', dark: '#22262f' },
  'secondary-foreground': { light: '#15181e', dark: '#eceef2' },
  muted: { light: '#f0f2f5', dark: '#1c2028' },
  'muted-foreground': { light: '#5a6272', dark: '#9ba3b2' },
  accent: { light: '#e9eefb', dark: '#1d2747' },
  'accent-foreground': { light: '#1d3fa8', dark: '#c3d1ff' },
  destructive: { light: '#c2272d', dark: '#ff8f8c' },
  'destructive-foreground': { light: '#ffffff', dark: '#330709' },
  success: { light: '#157347', dark: '#5fcf95' },
  'success-foreground': { light: '#ffffff', dark: '#04210f' },
  warning: { light: '#8f5a00', dark: '#f0b955' },
  'warning-foreground': { light: '#ffffff', dark: '#271800' },
  info: { light: '#2a54d4', dark: '#8fa9ff' },
  'info-foreground': { light: '#ffffff', dark: '#0a1230' },
  border: { light: '#e2e5ea', dark: '#272c35' },
  input: { light: '#858d9b', dark: '#667081' },
  ring: { light: '#2a54d4', dark: '#8fa9ff' },
  sidebar: { light: '#ffffff', dark: '#101318' },
};
