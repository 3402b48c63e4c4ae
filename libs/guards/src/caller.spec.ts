import {
  callerName,
  commonScopes,
  hasScope,
  isAdmin,
  lastingNarrowing,
  intersectNarrowings,
  narrowingOf,
  type UserCaller,
} from './caller.js';

const ada: UserCaller = { kind: 'user', userId: 'usr_1', tenantId: 'default', role: 'user', scopes: [] };

describe('hasScope', () => {
  it.each<[string[], string, boolean]>([
    [['users:write'], 'users:write', true],
    [['users.write'], 'users:write', true],
    [['users:write'], 'users.write', true],
    [['wallet:read', 'users:write'], 'users:write', true],
    [['users:*'], 'users:write', true],
    [['users.*'], 'users:write', true],
    [['*'], 'users:write', true],
    [[], 'users:write', false],
    [['users:read'], 'users:write', false],
    [['users'], 'users:write', false],
    [['users:'], 'users:write', false],
    [['user:*'], 'users:write', false],
    [['users2:*'], 'users:write', false],
    [['users:write2'], 'users:write', false],
    [['users:writ'], 'users:write', false],
    [['Users:Write'], 'users:write', false],
    [['*:write'], 'users:write', false],
    [['*:*'], 'users:write', false],
    [['users:**'], 'users:write', false],
    [['write:users'], 'users:write', false],
    [[''], 'users:write', false],
    [[':*'], 'users:write', false],
  ])('%j and %s: %s', (held, wanted, expected) => {
    expect(hasScope(held, wanted)).toBe(expected);
  });
});

describe('commonScopes', () => {
  it.each<[string[], string[], string[]]>([
    [['*'], ['users:read', 'apps:*'], ['apps:*', 'users:read']],
    [['users:*'], ['*'], ['users:*']],
    [['users:read', 'apps:write'], ['users:*'], ['users:read']],
    [['users:*'], ['users:read', 'apps:read'], ['users:read']],
    [['users:read'], ['users:write'], []],
    [['*'], [], []],
    [['*'], ['*'], ['*']],
  ])('of %j and %j are %j', (some, others, common) => {
    expect(commonScopes(some, others)).toEqual(common);
    expect(commonScopes(others, some)).toEqual(common);
  });
});

describe('isAdmin', () => {
  it('is true only for a user with the role, and for who acts for one', () => {
    expect(isAdmin({ ...ada, role: 'admin' })).toBe(true);
    expect(isAdmin({ ...ada, role: 'Admin' })).toBe(false);
    expect(isAdmin({ ...ada, scopes: ['*'] })).toBe(false);
    expect(isAdmin({ kind: 'service', service: 'panel' })).toBe(false);
    expect(isAdmin({ kind: 'service', service: 'panel', actingUser: ada })).toBe(false);
    expect(isAdmin({ kind: 'service', service: 'panel', actingUser: { ...ada, role: 'admin' } })).toBe(true);
  });

  it.each<[string, Partial<UserCaller>]>([
    ['a key of theirs', { apiKeyId: 'key_1', keyScopes: ['users:*'] }],
    ['what follows from a narrow credential', { narrowedTo: ['users:*'] }],
    ['an app that runs for them', { throughApp: 'notes' }],
  ])('is true for %s only with all scopes', (_who, of) => {
    expect(isAdmin({ ...ada, role: 'admin', scopes: ['users:*'], ...of })).toBe(false);
    expect(isAdmin({ ...ada, role: 'admin', scopes: ['*'], ...of })).toBe(true);
  });
});

it('a run of an app is narrow, with the key that led to it', () => {
  expect([narrowingOf(ada), lastingNarrowing(ada)]).toEqual([null, null]);
  const run = { ...ada, scopes: ['users:read'], throughApp: 'notes' };
  expect(narrowingOf(run)).toEqual(['users:read']);
  expect(lastingNarrowing(run)).toEqual({ scopes: ['users:read'], key: null, apps: ['notes'] });
  const chained = lastingNarrowing({ ...run, otherApps: ['mail', 'notes'] });
  expect(chained).toEqual({ scopes: ['users:read'], key: null, apps: ['mail', 'notes'] });
  const ofApps = { scopes: ['*'], key: null, apps: ['bank'] };
  expect(intersectNarrowings(ofApps, chained)).toEqual({
    scopes: ['users:read'],
    key: null,
    apps: ['bank', 'mail', 'notes'],
  });
  expect(intersectNarrowings(ofApps, { scopes: ['*'], key: null })).toEqual(ofApps);
  const ofKey = { ...run, narrowedTo: ['users:*'], apiKeyId: 'key_1', keyScopes: ['users:*'] };
  expect(narrowingOf(ofKey)).toEqual(['users:read']);
  expect(lastingNarrowing(ofKey)).toMatchObject({ scopes: ['users:read'], key: { id: 'key_1', scopes: ['users:*'] } });
});

it('names callers for logs', () => {
  expect(callerName(ada)).toBe('user:usr_1');
  expect(callerName({ kind: 'service', service: 'panel' })).toBe('service:panel');
  expect(callerName({ kind: 'service', service: 'panel', actingUser: ada })).toBe('service:panel/user:usr_1');
});
