import { COLOR_MODES, CONTRAST_PAIRS, DEFAULT_COLORS, THEME_COLORS } from './theme-colors.js';
import { themeColorIssues } from './theme-rules.js';

const both = (css: string) => ({ light: css, dark: css });

describe('the keys of a theme', () => {
  it('are 26, with eleven pairs of text and ground', () => {
    expect(new Set(THEME_COLORS).size).toBe(26);
    expect(CONTRAST_PAIRS).toHaveLength(11);
    expect(CONTRAST_PAIRS).toContainEqual(['background', 'foreground']);
    expect(CONTRAST_PAIRS).toContainEqual(['muted', 'muted-foreground']);
    for (const pair of CONTRAST_PAIRS) for (const key of pair) expect(THEME_COLORS).toContain(key);
  });

  it('have colours of their own that pass', () => {
    expect(Object.keys(DEFAULT_COLORS).sort()).toEqual([...THEME_COLORS].sort());
    expect(themeColorIssues(DEFAULT_COLORS)).toEqual([]);
    expect(themeColorIssues({})).toEqual([]);
  });
});

describe('the contrast of a theme', () => {
  it('counts with the colour of the platform where one of a pair is not given', () => {
    expect(themeColorIssues({ primary: { light: '#e13030', dark: DEFAULT_COLORS.primary.dark } })).toEqual([
      {
        path: ['primary', 'light'],
        msg: "The contrast with the platform's own primary-foreground is 4.49:1; it must be at least 4.5:1",
        type: 'value_error',
      },
    ]);
    expect(themeColorIssues({ 'primary-foreground': { light: '#ffffff', dark: '#ffffff' } })).toMatchObject([
      { path: ['primary-foreground', 'dark'], msg: expect.stringContaining("the platform's own primary is 2.2") },
    ]);
  });

  it('is refused at 4.4997 and taken at 4.5010', () => {
    const text = { 'card-foreground': both('#ffffff') };
    expect(themeColorIssues({ card: both('#158484'), ...text })).toEqual([]);
    expect(themeColorIssues({ card: both('#e13030'), ...text })).toMatchObject(
      COLOR_MODES.map((mode) => ({
        path: ['card', mode],
        msg: 'The contrast with card-foreground is 4.49:1; it must be at least 4.5:1',
      })),
    );
  });

  it.each(CONTRAST_PAIRS)('is computed for %s and %s', (ground, text) => {
    const issues = themeColorIssues({ [ground]: both('#777777'), [text]: both('#ffffff') });
    expect(issues.map(({ path }) => path)).toEqual(COLOR_MODES.map((mode) => [ground, mode]));
  });

  it('is not asked of what is no ground for text', () => {
    for (const key of ['border', 'input', 'ring', 'sidebar'])
      expect(themeColorIssues({ [key]: both('#777777') })).toEqual([]);
  });

  it('is not judged by what is no colour', () => {
    expect(
      themeColorIssues({ card: both('nothing'), 'card-foreground': both('#777777') }).map(({ path }) => path),
    ).toEqual([
      ['card', 'light'],
      ['card', 'dark'],
    ]);
  });
});

it('says everything that is wrong at once', () => {
  const colors = {
    primary: { light: '#777777', dark: 'red' },
    'primary-foreground': { light: '#ffffff' },
    card: '#ffffff',
    'popover-foreground': { light: 1, dark: '#eceef2', print: '#000000' },
    glow: both('#ffffff'),
  };
  expect(themeColorIssues(colors).map(({ path, type }) => `${path.join('.')} ${type}`)).toEqual([
    'primary.dark value_error',
    'primary-foreground.dark missing',
    'card dict_type',
    'popover-foreground.light string_type',
    'popover-foreground.print extra_forbidden',
    'glow extra_forbidden',
    'primary.light value_error',
  ]);
});
