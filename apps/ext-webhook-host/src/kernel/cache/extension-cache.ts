import { Injectable } from '@nestjs/common';
import {
  assertCacheKey,
  assertCacheTtl,
  cacheText,
  DEFAULT_TTL_SECONDS,
  MAX_CACHE_ENTRIES,
} from '@platform/extension-sdk/runtime';
import { deleteExpired, RetentionService, queryPrepared } from '@platform/persistence';
import { DataSource } from 'typeorm';
import type { StoreScope } from '../store/documents.js';

const OF_SCOPE = 'tenant_id = $1 AND app_id = $2 AND user_id = $3';

/** Short-lived values of apps, separate for each user. Any value can disappear before its time. */
@Injectable()
export class ExtensionCache {
  constructor(
    private readonly dataSource: DataSource,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows(() => this.deleteExpiredValues());
  }

  /**
   * Returns a cached value; undefined if there is none or it has expired, since null is a value.
   *
   * @throws ExtensionError CACHE_KEY_INVALID if the key is not 1 to 128 letters, digits, `_`, `:`
   * and `-`.
   */
  async getValue(scope: StoreScope, key: string): Promise<unknown> {
    const [row] = await this.query<{ value: string }>(
      `SELECT value FROM cache_entries WHERE ${OF_SCOPE} AND key = $4 AND expires_at > now()`,
      keyOf(scope, key),
    );
    return row && JSON.parse(row.value);
  }

  /**
   * Stores a JSON value of up to 64 KiB for 5 to 300 s; 60 s by default. It replaces the value of
   * the same key. Above 500 values of a user in an app, the one that expires first is deleted.
   *
   * @throws ExtensionError CACHE_KEY_INVALID, CACHE_TTL_INVALID or CACHE_VALUE_TOO_LARGE if the
   * key, the time or the size is not allowed; JSON_INVALID if JSON cannot represent the value.
   */
  async setValue(scope: StoreScope, key: string, value: unknown, ttlSeconds = DEFAULT_TTL_SECONDS): Promise<void> {
    assertCacheTtl(ttlSeconds);
    const place = keyOf(scope, key);
    const text = cacheText(value);
    await this.query(
      `WITH surplus AS (
         SELECT key FROM cache_entries WHERE ${OF_SCOPE} AND key <> $4 ORDER BY expires_at DESC, key OFFSET ${MAX_CACHE_ENTRIES - 1}
       ), evicted AS (DELETE FROM cache_entries WHERE ${OF_SCOPE} AND key IN (SELECT key FROM surplus))
       INSERT INTO cache_entries (tenant_id, app_id, user_id, key, value, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
       ON CONFLICT (tenant_id, app_id, user_id, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
      [...place, text, ttlSeconds],
    );
  }

  /**
   * Deletes a cached value. Returns false if there was none or it had expired.
   *
   * @throws ExtensionError CACHE_KEY_INVALID as in `getValue`.
   */
  async deleteValue(scope: StoreScope, key: string): Promise<boolean> {
    const rows = await this.query(
      `DELETE FROM cache_entries WHERE ${OF_SCOPE} AND key = $4 RETURNING expires_at > now() AS live`,
      keyOf(scope, key),
    );
    return rows.some(({ live }: { live?: boolean }) => live);
  }

  /** Deletes a batch of expired values. Returns how many. */
  deleteExpiredValues(): Promise<number> {
    return deleteExpired(this.dataSource, {
      table: 'cache_entries',
      key: 'tenant_id, app_id, user_id, key',
      where: 'expires_at <= now()',
    });
  }

  private query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return queryPrepared<Row>(this.dataSource, text, values);
  }
}

function keyOf({ tenantId, appId, userId }: StoreScope, key: string): string[] {
  assertCacheKey(key);
  return [tenantId, appId, userId, key];
}
