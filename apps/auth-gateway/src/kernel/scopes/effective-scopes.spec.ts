import { hasScope } from '@platform/guards';
import { resolveScopes } from './effective-scopes.js';
import { listExistingScopes } from './platform-scopes.js';

const KNOWN = ['users:read', 'users:write', 'roles:read', 'apps:deploy'];
const resolve = (role: string[], own: string[], denied: string[]) =>
  resolveScopes({ role, own, denied, known: KNOWN }).map(({ scope }) => scope);

describe('resolveScopes', () => {
  it.each<[string, string[], string[], string[], string[]]>([
    ['adds the grants to what the role gives', ['users:read'], ['roles:read'], [], ['users:read', 'roles:read']],
    ['lets a denial win over both', ['users:read'], ['users:read', 'roles:read'], ['users:read'], ['roles:read']],
    ['lets a wildcard denial win over its parts', ['users:read', 'roles:read'], [], ['users:*'], ['roles:read']],
    ['cuts a wildcard to what is left of it', ['users:*'], [], ['users:write'], ['users:read']],
    ['cuts everything to what is left of it', ['*'], [], ['users:*', 'apps:deploy'], ['roles:read']],
    ['leaves nothing when everything is denied', ['*', 'users:*', 'users:read'], [], ['*'], []],
    ['leaves alone what a denial does not touch', ['*'], [], [], ['*']],
    ['takes both spellings for one', ['users.read', 'users.write'], [], ['users:read'], ['users.write']],
    ['gives nothing that only a denial names', [], [], ['users:read'], []],
  ])('%s', (_what, role, own, denied, expected) => {
    expect(resolve(role, own, denied)).toEqual(expected);
  });

  it('tells where a scope comes from', () => {
    expect(resolveScopes({ role: ['users:*'], own: ['users:read'], denied: ['users:write'], known: KNOWN })).toEqual([
      { scope: 'users:read', source: 'role', grantedAs: 'users:*' },
      { scope: 'users:read', source: 'user', grantedAs: 'users:read' },
    ]);
  });

  it('means the same as the rule, for every known scope and any grants and denials', () => {
    const patterns = ['*', 'users:*', 'roles:*', 'apps:*', ...KNOWN];
    const subset = (bits: number) => patterns.filter((_pattern, at) => bits & (1 << at));
    // Visits the 2^24 combinations with a step that shares no factor with their number.
    for (let step = 0, bits = 0; step < 4_000; step++, bits = (bits + 6_700_417) % 2 ** 24) {
      const [role, own, denied] = [subset(bits & 255), subset((bits >> 8) & 255), subset(bits >> 16)];
      const effective = resolve(role, own, denied);
      for (const scope of KNOWN) {
        const expected = hasScope([...role, ...own], scope) && !hasScope(denied, scope);
        expect([role, own, denied, scope, hasScope(effective, scope)]).toEqual([role, own, denied, scope, expected]);
      }
    }
  });
});

describe('scopesThereAre', () => {
  it('is the catalogue, what is for calls, and each registered scope as itself, whatever else was registered', () => {
    const odd = [
      '*',
      'users:*',
      '*:*',
      '*:read',
      'users:read',
      'users.read',
      'roles:made-up',
      'Users:read',
      'usеrs:read',
      'invoices.read',
    ];
    const more = [
      'invoices:*',
      'invoices:read\n',
      ' invoices:read',
      'invoices:read:all',
      'extensions:read',
      '',
      ':',
      'a:',
    ];
    const there = (registered: string[], apps: string[] = []) => listExistingScopes({ registered, apps });
    const catalogue = there([]);
    expect(catalogue).toEqual(
      expect.arrayContaining(['users:read', 'scopes:write', 'apps:write', 'extensions:read', 'extensions:call']),
    );
    expect(there([...odd, ...more, 'invoices:read'])).toEqual([...catalogue, 'invoices:read']);
    const ofApp = ['notes:read', 'notes:write', 'notes:destructive', 'notes:call'];
    expect(there(['notes:read', 'notes:print'], ['notes'])).toEqual([...catalogue, ...ofApp, 'notes:print']);
  });
});

describe('what stands for every app, beside a denial that names one', () => {
  const known = listExistingScopes({ registered: ['invoices:write'], apps: ['developer', 'letters', 'notes'] });
  const left = (granted: string, denied: string[]) =>
    resolveScopes({ role: [granted], own: [], denied, known })
      .map(({ scope }) => scope)
      .sort();

  it.each<[string, string[], string[]]>([
    ['extensions:write', ['notes:write'], []],
    ['extensions.write', ['notes.write'], []],
    ['extensions:write', ['notes.*'], []],
    ['extensions:write', ['notes:read'], ['extensions:write']],
    ['extensions:write', ['users:write', 'apps:*', 'developer:write'], ['extensions:write']],
    ['letters:write', ['notes:write'], ['letters:write']],
    ['extensions:*', ['notes:write'], ['extensions:call', 'extensions:destructive', 'extensions:read']],
    ['extensions.*', ['notes:write', 'letters:call'], ['extensions:destructive', 'extensions:read']],
    ['extensions:*', ['notes:*'], []],
    ['extensions:*', ['extensions:read'], ['extensions:call', 'extensions:destructive', 'extensions:write']],
    ['extensions:*', ['users:read'], ['extensions:*']],
  ])('%s beside the denials %j is what gives none of them back', (granted, denied, expected) => {
    expect(left(granted, denied)).toEqual(expected);
  });

  it('is not left of everything, and what other apps need is', () => {
    const all = left('*', ['notes:write']);
    expect(all).toEqual(
      expect.arrayContaining(['extensions:read', 'letters:write', 'notes:read', 'invoices:write', 'developer:write']),
    );
    expect(['extensions:write', 'notes:write'].filter((scope) => hasScope(all, scope))).toEqual([]);
  });
});

it('a wanted * is held by nobody but who has everything', () => {
  expect([['*'], ['users:*'], ['*:*'], ['*.*'], []].map((scopes) => hasScope(scopes, '*'))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
