import { defaultUrlShown, resolveSettings } from './settings.js';

const URL = 'http://localhost:7300';
const CLONE = { PLATFORM_URL: URL, PLATFORM_CLONE_URL: URL };

it.each([
  ['anywhere', {}, {}, undefined, 'platform login'],
  ['at another platform', { url: URL }, { PLATFORM_URL: URL }, 'env', `platform login --url ${URL}`],
  ['in a clone, which knows its platform', { url: URL }, CLONE, 'env', 'npm run platform -- login'],
  ['in a clone with a profile', { url: URL, profile: 'ci' }, CLONE, 'env', 'npm run platform -- login --profile ci'],
  ['in a clone with --url', { url: URL }, CLONE, 'cli', `npm run platform -- login --url ${URL}`],
  [
    'in a clone at another platform',
    { url: URL },
    { ...CLONE, PLATFORM_CLONE_URL: '' },
    'env',
    `npm run platform -- login --url ${URL}`,
  ],
] as const)('the command that signs in, %s', (_where, options, env, source, command) => {
  expect(resolveSettings(options, env, source).loginCommand).toBe(command);
});

it.each([
  ['anywhere', {}, 'http://localhost:4000'],
  ['in a clone where none runs', { PLATFORM_CLONE_URL: '' }, 'http://localhost:4000'],
  ['in a clone', CLONE, `${URL}, which runs from this repository`],
])('the address that the help names, %s', (_where, env, shown) => expect(defaultUrlShown(env)).toBe(shown));
