import type { JsonValue } from '@platform/app-document';
import { assertCacheKey, assertCacheTtl, cacheText, DEFAULT_TTL_SECONDS, MAX_CACHE_ENTRIES } from '../cache-entries.js';
import type { Budget } from '../run-limits.js';

interface Entry {
  text: string;
  expiresAt: number;
}

/** Cache entries of an app, by user. */
export type CacheEntries = Map<string, Map<string, Entry>>;

/**
 * Implements `ctx.cache` for one user, in memory. Throws the same ExtensionErrors as the platform.
 */
export class MemoryCache {
  private readonly entries: Map<string, Entry>;

  constructor(
    all: CacheEntries,
    userId: string,
    private readonly operations: Budget,
  ) {
    this.entries = all.get(userId) ?? new Map<string, Entry>();
    all.set(userId, this.entries);
  }

  get(key: string): JsonValue | undefined {
    const entry = this.live(key);
    return entry && (JSON.parse(entry.text) as JsonValue);
  }

  set(key: string, value: JsonValue, ttlSeconds = DEFAULT_TTL_SECONDS): void {
    this.operations.spend();
    assertCacheTtl(ttlSeconds);
    assertCacheKey(key);
    const entry = { text: cacheText(value), expiresAt: Date.now() + ttlSeconds * 1000 };
    this.entries.delete(key);
    const [next] = [...this.entries].sort(([, one], [, other]) => one.expiresAt - other.expiresAt);
    if (next && this.entries.size >= MAX_CACHE_ENTRIES) this.entries.delete(next[0]);
    this.entries.set(key, entry);
  }

  delete(key: string): boolean {
    const isLive = this.live(key) !== undefined;
    this.entries.delete(key);
    return isLive;
  }

  async getOrFetch(key: string, fetch: () => Promise<JsonValue>, ttlSeconds?: number): Promise<JsonValue> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = await fetch();
    this.set(key, value, ttlSeconds);
    return value;
  }

  private live(key: string): Entry | undefined {
    this.operations.spend();
    assertCacheKey(key);
    const entry = this.entries.get(key);
    return entry && entry.expiresAt > Date.now() ? entry : undefined;
  }
}
