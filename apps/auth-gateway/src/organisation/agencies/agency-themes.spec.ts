import { DEFAULT_COLORS, THEME_COLORS, type AgencyResponse } from '@platform/contracts';
import { AgencyTest } from '../../testing/agency-test.js';

let test: AgencyTest;
let path: string;
let id: string;
beforeAll(async () => (test = await AgencyTest.start()));
afterAll(() => test.stop());
beforeEach(async () => {
  id = (await test.create()).agency_id;
  path = `/v1/agencies/${id}/theme`;
});

const both = (css: string) => ({ light: css, dark: css });
const BLUE = {
  primary: { light: '#1d4ed8', dark: 'oklch(0.8 0.1 270)' },
  'primary-foreground': { light: 'rgb(255 255 255)', dark: '#000' },
};

async function replace(theme: object, client = test.admin): Promise<AgencyResponse['theme']> {
  const { status, body } = await client.put<AgencyResponse>(path, theme);
  expect(status).toBe(200);
  return body.theme;
}

const current = async () => (await test.admin.get<AgencyResponse>(`/v1/agencies/${id}`)).body.theme;
const refusal = (theme: unknown) => test.expectInvalid('PUT', path, theme);

describe('a theme', () => {
  it('is replaced whole, shown to the people of the agency, and reset', async () => {
    const theme = { colors: BLUE, density: 'compact', radius: 'sharp' };
    expect(await replace(theme)).toEqual(theme);
    const user = await test.gateway.signIn(await test.gateway.user({ agency_id: id }));
    expect((await user.get<AgencyResponse>('/v1/agencies/me')).body.theme).toEqual(theme);
    expect(await replace({ colors: { ring: both('#fff') } })).toEqual({
      colors: { ring: both('#fff') },
      density: 'default',
      radius: 'default',
    });
    expect(await replace({})).toEqual({ colors: {}, density: 'default', radius: 'default' });
    const reset = await test.admin.delete(path);
    expect(reset).toMatchObject({ status: 204, body: '' });
    expect(await current()).toBeNull();
    expect((await test.admin.delete(path)).status).toBe(204);
  });

  it('may give every colour', async () => {
    expect(THEME_COLORS).toHaveLength(26);
    expect((await replace({ colors: DEFAULT_COLORS }))?.colors).toEqual(DEFAULT_COLORS);
  });

  it('leaves settings and other agencies alone', async () => {
    const other = await test.create({ settings: { retention_days: 1 } });
    await test.admin.put(`/v1/agencies/${id}/settings`, { retention_days: 9 });
    await replace({ density: 'spacious' });
    expect((await test.admin.get<AgencyResponse>(`/v1/agencies/${id}`)).body).toMatchObject({
      settings: { retention_days: 9 },
      theme: { density: 'spacious' },
    });
    expect((await test.admin.get(`/v1/agencies/${other.agency_id}`)).body).toEqual(other);
  });

  it('is told of in the audit log, with what was before', async () => {
    const [first, second] = [
      { colors: BLUE, density: 'default', radius: 'default' },
      { colors: {}, density: 'default', radius: 'rounded' },
    ];
    await replace(first);
    await replace(second, test.gateway.backend());
    await test.admin.delete(path);
    await test.admin.delete(path);
    expect((await test.auditEntries(id)).slice(1)).toMatchObject([
      { action: 'agency.theme_replaced', actor_type: 'user', before_state: null, after_state: first },
      {
        action: 'agency.theme_replaced',
        actor_type: 'service',
        actor_id: 'test',
        before_state: first,
        after_state: second,
      },
      { action: 'agency.theme_reset', actor_type: 'user', before_state: second, after_state: null },
    ]);
  });

  it('is whole after 50 replacements and resets at once', async () => {
    const themes = Array.from({ length: 50 }, (_value, at) => ({ colors: { ring: both(`rgb(${at} ${at} ${at})`) } }));
    const answers = await Promise.all(
      themes.map((theme, at) => (at % 10 ? test.admin.put(path, theme) : test.admin.delete(path))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
    const theme = await current();
    if (theme) expect(themes.map(({ colors }) => colors)).toContainEqual(theme.colors);
    const last = (await test.auditEntries(id)).filter(({ action }) => action === 'agency.theme_replaced');
    expect(last).toHaveLength(45);
  });

  it('may be written by a trusted backend, for the tenant of whom it acts for', async () => {
    const other = await test.stranger();
    await test.create({ agency_id: id }, other.client);
    await replace({ radius: 'rounded' }, test.gateway.actingFor(other.userId));
    expect(await current()).toBeNull();
    expect((await test.gateway.actingFor(other.userId).delete(path)).status).toBe(204);
    expect((await test.auditEntries(id)).at(-1)).toMatchObject({
      action: 'agency.theme_reset',
      on_behalf_of: other.userId,
      tenant_id: other.tenant,
    });
  });

  it('is nobody else’s to write', async () => {
    const user = await test.gateway.signIn(await test.gateway.user());
    const everything = await test.gateway.signIn(await test.gateway.user({ scopes: ['*'] }));
    await test.expectRefusals(403, 'insufficient_scope', () =>
      [user, everything].flatMap((client) => [client.put(path, {}), client.delete(path)]),
    );
    await test.expectRefusals(401, 'not_authenticated', () => [
      test.gateway.client().put(path, {}),
      test.gateway.client().delete(path),
    ]);
    await test.expectRefusals(404, 'agency.not_found', () => [
      test.admin.put('/v1/agencies/nothing/theme', {}),
      test.admin.delete('/v1/agencies/me/theme'),
    ]);
  });
});

describe('a theme is refused with', () => {
  // Attack line I8
  it.each([
    'red;}body{',
    '#fff;}body{background:url(//x)',
    'url(//x)',
    'url("https://evil.example")',
    'expression(alert(1))',
    '\\72 ed',
    '/*',
    '#fff/**/',
    '</style>',
    '@import',
    'var(--x)',
    'env(x)',
    'calc(1)',
    '#11223344',
    '#1234',
    'red',
    'transparent',
    'rgba(0, 0, 0, 1)',
    'rgb(0 0 0 / 0.5)',
    'oklch(0.5 0.1 20 / 1)',
    'hsl(0 0% 0%)',
    'color-mix(in srgb, #000, #fff)',
    '',
    ' #000',
    '#000\n',
  ])('the colour %j', async (css) => {
    const issues = await refusal({ colors: { border: { light: css, dark: '#000000' } } });
    expect(issues).toMatchObject([{ loc: ['body', 'colors', 'border', 'light'], type: 'value_error' }]);
  });

  it('a contrast of 4.49, at its place, and not with one of 4.50', async () => {
    const pair = (primary: string) => ({ primary: both(primary), 'primary-foreground': both('#ffffff') });
    expect(await refusal({ colors: pair('#e13030') })).toEqual(
      ['light', 'dark'].map((mode) => ({
        loc: ['body', 'colors', 'primary', mode],
        msg: 'The contrast with primary-foreground is 4.49:1; it must be at least 4.5:1',
        type: 'value_error',
      })),
    );
    expect((await replace({ colors: pair('#158484') }))?.colors).toEqual(pair('#158484'));
  });

  it('text that cannot be read on the colours that stay', async () => {
    expect(await refusal({ colors: { foreground: { light: '#15181e', dark: '#15181e' } } })).toMatchObject([
      {
        loc: ['body', 'colors', 'foreground', 'dark'],
        msg: expect.stringContaining("the platform's own background is 1."),
      },
    ]);
  });

  it.each([
    ['an unknown colour', { colors: { glow: both('#fff') } }, ['colors', 'glow'], 'extra_forbidden'],
    ['no dark mode', { colors: { ring: { light: '#fff' } } }, ['colors', 'ring', 'dark'], 'missing'],
    [
      'a third mode',
      { colors: { ring: { ...both('#fff'), print: '#000' } } },
      ['colors', 'ring', 'print'],
      'extra_forbidden',
    ],
    ['text for a colour', { colors: { ring: '#fff' } }, ['colors', 'ring'], 'dict_type'],
    [
      'a number for a colour',
      { colors: { ring: { light: 0, dark: '#fff' } } },
      ['colors', 'ring', 'light'],
      'string_type',
    ],
    [
      'null for a colour',
      { colors: { ring: { light: null, dark: '#fff' } } },
      ['colors', 'ring', 'light'],
      'string_type',
    ],
    ['a list of colours', { colors: [] }, ['colors'], 'dict_type'],
    ['null for the colours', { colors: null }, ['colors'], 'dict_type'],
    ['an unknown density', { density: 'tight' }, ['density'], 'literal_error'],
    ['an unknown radius', { radius: 4 }, ['radius'], 'literal_error'],
    ['an unknown key', { fonts: {} }, ['fonts'], 'extra_forbidden'],
    [
      'a colour of 64 kB',
      { colors: { ring: both(`#${'f'.repeat(65_536)}`) } },
      ['colors', 'ring', 'light'],
      'value_error',
    ],
  ])('%s', async (_what, theme, loc, type) => {
    expect((await refusal(theme))[0]).toMatchObject({ loc: ['body', ...loc], type });
  });

  it('everything at once', async () => {
    const colors = {
      primary: { light: '#777', dark: 'red' },
      glow: both('#fff'),
      card: { light: '#fff' },
      'info-foreground': both('#2a54d4'),
    };
    const issues = await refusal({ colors, density: 'tight', radius: 'oval', fonts: {} });
    expect(issues.map(({ loc }) => loc.slice(1).join('.')).sort()).toEqual([
      'colors.card.dark',
      'colors.glow',
      'colors.info-foreground.dark',
      'colors.info-foreground.light',
      'colors.primary.dark',
      'colors.primary.light',
      'density',
      'fonts',
      'radius',
    ]);
  });
});
