import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/**
 * Changes made by other processes are visible after this time at the latest, even if a notification
 * was lost.
 */
const MAX_AGE_MS = 5_000;
const CACHED_CREDENTIALS = 50_000;
const TOUCH_EVERY_MS = 10_000;

export interface CredentialSource<Holder extends object> {
  /** Null if the credential cannot be used now. */
  load(key: string): Promise<Holder | null>;
  /**
   * Records that these credentials were used, in one statement and at most once a minute for each.
   */
  touch(keys: string[]): Promise<void>;
}

/**
 * Caches the holders of credentials for 5 s: a busy credential costs one statement in that time,
 * even with many concurrent requests, and no write in their path. Unknown credentials are not
 * cached.
 */
export class CredentialCache<Holder extends object> {
  private readonly cache = new LRUCache<string, Holder>({
    ...maxEntries(CACHED_CREDENTIALS),
    ttl: MAX_AGE_MS,
    ttlAutopurge: false,
  });
  private readonly loading = new Map<string, Promise<Holder | null>>();
  private readonly used = new Set<string>();
  /**
   * Counts calls of `evict` and `evictWhere`, so that the result of an earlier read is not
   * cached.
   */
  private forgotten = 0;
  private readonly touching = setInterval(() => void this.touch(), TOUCH_EVERY_MS).unref();

  constructor(
    private readonly source: CredentialSource<Holder>,
    private readonly logger: Logger,
  ) {}

  findHolder(key: string): Promise<Holder | null> | Holder {
    const known = this.cache.get(key);
    if (known) return known;
    const running = this.loading.get(key);
    if (running) return running;
    const load = this.load(key).finally(() => {
      // After `evict`, another load may be registered for the key.
      if (this.loading.get(key) === load) this.loading.delete(key);
    });
    this.loading.set(key, load);
    return load;
  }

  /**
   * Records the use of a credential within 10 s. Call it once the caller has proven the credential.
   */
  noteUse(key: string): void {
    this.used.add(key);
  }

  evict(key: string): void {
    this.forgotten++;
    this.cache.delete(key);
    this.loading.delete(key);
  }

  /**
   * Removes all holders for which the predicate is true, so that the next `findHolder` loads them
   * again. Loads that are running are not cached.
   */
  evictWhere(isMeant: (holder: Holder) => boolean): void {
    this.forgotten++;
    for (const [key, holder] of this.cache.entries()) if (isMeant(holder)) this.cache.delete(key);
    this.loading.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.touching);
    await this.touch();
  }

  private async load(key: string): Promise<Holder | null> {
    const { forgotten } = this;
    const holder = await this.source.load(key);
    if (!holder) return null;
    if (forgotten === this.forgotten) this.cache.set(key, holder);
    return holder;
  }

  private async touch(): Promise<void> {
    if (!this.used.size) return;
    const keys = [...this.used];
    this.used.clear();
    await this.source
      .touch(keys)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'could not record when credentials were last used'));
  }
}
