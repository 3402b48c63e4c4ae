import { MAX_CACHE_ENTRIES } from '@platform/extension-sdk/runtime';
import { RetentionService } from '@platform/persistence';
import { startHostDatabase, type HostDatabase } from '../../testing/host-database.js';
import type { StoreScope } from '../store/documents.js';
import { ExtensionCache } from './extension-cache.js';

let database: HostDatabase;
let cache: ExtensionCache;
beforeAll(async () => {
  database = await startHostDatabase();
  cache = new ExtensionCache(database.dataSource, new RetentionService(database.dataSource));
});
afterAll(() => database.stop());

let apps = 0;
const newScope = (): StoreScope => ({ tenantId: 'acme', appId: `app-${++apps}`, userId: 'usr_1' });
const expire = ({ appId }: StoreScope) =>
  database.dataSource.query('UPDATE cache_entries SET expires_at = now() WHERE app_id = $1', [appId]);

describe('the cache', () => {
  it.each([[{ a: [1, 'ž', null] }], [null], [false], [0], [''], ['x'.repeat(65_534)]])(
    'gives back what was set (%#)',
    async (value) => {
      const scope = newScope();
      await cache.setValue(scope, 'a:B_1-c', 'before');
      await cache.setValue(scope, 'a:B_1-c', value);
      expect(await cache.getValue(scope, 'a:B_1-c')).toEqual(value);
    },
  );

  it('is of one user of one app in one tenant', async () => {
    const scope = newScope();
    await cache.setValue(scope, 'key', 1);
    for (const other of [{ ...scope, userId: 'usr_2' }, { ...scope, tenantId: 'globex' }, newScope()]) {
      expect(await cache.getValue(other, 'key')).toBeUndefined();
      expect(await cache.deleteValue(other, 'key')).toBe(false);
    }
    expect([await cache.deleteValue(scope, 'key'), await cache.deleteValue(scope, 'key')]).toEqual([true, false]);
    expect(await cache.getValue(scope, 'key')).toBeUndefined();
  });

  it('keeps a value for a minute, or as long as told', async () => {
    const scope = newScope();
    await cache.setValue(scope, 'usual', 1);
    await cache.setValue(scope, 'long', 1, 300);
    const kept = await database.dataSource.query<object[]>(
      'SELECT key, round(extract(epoch FROM expires_at - now()))::int AS seconds FROM cache_entries WHERE app_id = $1 ORDER BY key',
      [scope.appId],
    );
    expect(kept).toEqual([
      { key: 'long', seconds: expect.closeTo(300, -1) },
      { key: 'usual', seconds: expect.closeTo(60, -1) },
    ]);
  });

  it('has a value no longer than its time, swept or not', async () => {
    const scope = newScope();
    await cache.setValue(scope, 'key', 1);
    await expire(scope);
    expect(await cache.getValue(scope, 'key')).toBeUndefined();
    expect(await cache.deleteValue(scope, 'key')).toBe(false);
    await cache.setValue(scope, 'key', 2);
    await expire(scope);
    await cache.setValue(scope, 'live', 3);
    expect(await cache.deleteExpiredValues()).toBe(1);
    expect(await cache.getValue(scope, 'live')).toBe(3);
  });

  it('makes room by what would expire next', async () => {
    const scope = newScope();
    await database.dataSource.query(
      `INSERT INTO cache_entries SELECT $1, $2, $3, 'k' || n, '1', now() + make_interval(secs => 100 + n) FROM generate_series(1, $4::int) n`,
      [scope.tenantId, scope.appId, scope.userId, MAX_CACHE_ENTRIES],
    );
    await cache.setValue(scope, 'k500', 2, 300);
    expect(await cache.getValue(scope, 'k1')).toBe(1);
    await cache.setValue(scope, 'new', 3, 5);
    expect([
      await cache.getValue(scope, 'k1'),
      await cache.getValue(scope, 'k2'),
      await cache.getValue(scope, 'new'),
    ]).toEqual([undefined, 1, 3]);
  });

  it.each(['', 'a b', 'a/b', 'ž', 'a.b', 'a'.repeat(129), undefined])('has no key %j', async (key) => {
    for (const attempt of [cache.getValue(newScope(), key as string), cache.setValue(newScope(), key as string, 1)]) {
      await expect(attempt).rejects.toMatchObject({ code: 'CACHE_KEY_INVALID' });
    }
  });

  it.each([4, 301, 0, NaN, Infinity])('keeps nothing for %d seconds', async (ttl) => {
    await expect(cache.setValue(newScope(), 'key', 1, ttl)).rejects.toMatchObject({ code: 'CACHE_TTL_INVALID' });
  });

  it.each([
    ['more than 64 KiB', 'x'.repeat(65_535), 'CACHE_VALUE_TOO_LARGE'],
    ['more than 64 KiB in UTF-8', 'ž'.repeat(40_000), 'CACHE_VALUE_TOO_LARGE'],
    ['what is no JSON', { a: () => 1 }, 'JSON_INVALID'],
    ['nothing', undefined, 'JSON_INVALID'],
  ])('refuses %s', async (_what, value, code) => {
    await expect(cache.setValue(newScope(), 'key', value)).rejects.toMatchObject({ code });
  });

  it('is not written to the log of the database', async () => {
    const [table] = await database.dataSource.query<object[]>(
      "SELECT relpersistence FROM pg_class WHERE oid = 'cache_entries'::regclass",
    );
    expect(table).toEqual({ relpersistence: 'u' });
  });
});
