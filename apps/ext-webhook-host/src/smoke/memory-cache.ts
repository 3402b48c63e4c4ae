import type { JsonValue } from '@platform/app-document';
import { MAX_CACHE_VALUE_BYTES } from '../cache/cache-entry.entity.js';
import { CacheErrors } from '../cache/cache.errors.js';
import { jsonText } from '../json-text.js';

const KEY = /^[A-Za-z0-9_:-]{1,128}$/;
const MAX_ENTRIES = 500;

/** `ctx.cache` without a database, for one run, which is over before anything expires. Refuses what `ExtensionCache` refuses. */
export class MemoryCache {
  private readonly values = new Map<string, string>();

  get(key: string): JsonValue | undefined {
    const text = this.values.get(checked(key));
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  }

  set(key: string, value: JsonValue, ttlSeconds = 60): void {
    if (!(ttlSeconds >= 5 && ttlSeconds <= 300)) throw CacheErrors.ttlInvalid(5, 300);
    const text = jsonText(value);
    if (Buffer.byteLength(text) > MAX_CACHE_VALUE_BYTES) throw CacheErrors.tooLarge();
    this.values.set(checked(key), text);
    const [oldest] = this.values.keys();
    if (this.values.size > MAX_ENTRIES && oldest !== undefined) this.values.delete(oldest);
  }

  delete(key: string): boolean {
    return this.values.delete(checked(key));
  }

  async getOrFetch(key: string, fetch: () => Promise<JsonValue>, ttlSeconds?: number): Promise<JsonValue> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = await fetch();
    this.set(key, value, ttlSeconds);
    return value;
  }
}

function checked(key: string): string {
  if (typeof key !== 'string' || !KEY.test(key)) throw CacheErrors.keyInvalid();
  return key;
}
