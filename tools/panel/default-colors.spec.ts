import { DEFAULT_COLORS, THEME_COLORS } from '@platform/contracts';
import { readFileSync } from 'node:fs';

it('the colours by which the contrast of themes is judged are those of the panel', () => {
  const css = readFileSync('apps/panel/web/src/styles/theme.css', 'utf8');
  const [light, dark] = css.split('@media (prefers-color-scheme: dark)');
  for (const key of THEME_COLORS) {
    const valueIn = (part = '') => new RegExp(`--${key}: ([^;]+);`).exec(part)?.[1];
    expect([key, { light: valueIn(light), dark: valueIn(dark) }]).toEqual([key, DEFAULT_COLORS[key]]);
  }
});
