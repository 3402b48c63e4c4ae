import type { JsonValue } from '@platform/app-document';
import type { ContextCache } from '@platform/extension-sdk/runtime';
import type { ExtensionCache } from '../kernel/cache/extension-cache.js';
import type { StoreScope } from '../kernel/store/documents.js';
import type { RunState } from './run-state.js';

/** The member `ctx.cache` of one run. */
export class RunCache implements ContextCache {
  constructor(
    private readonly cache: ExtensionCache,
    private readonly scope: StoreScope,
    private readonly state: Pick<RunState, 'storeOperations'>,
  ) {}

  async get(key: string): Promise<JsonValue | undefined> {
    this.state.storeOperations.spend();
    return (await this.cache.getValue(this.scope, key)) as JsonValue | undefined;
  }

  async set(key: string, value: JsonValue, ttlSeconds?: number): Promise<void> {
    this.state.storeOperations.spend();
    await this.cache.setValue(this.scope, key, value, ttlSeconds);
  }

  async delete(key: string): Promise<boolean> {
    this.state.storeOperations.spend();
    return this.cache.deleteValue(this.scope, key);
  }

  async getOrFetch(key: string, fetch: () => Promise<JsonValue>, ttlSeconds?: number): Promise<JsonValue> {
    const known = await this.get(key);
    if (known !== undefined) return known;
    const value = await fetch();
    await this.set(key, value, ttlSeconds);
    return value;
  }
}
