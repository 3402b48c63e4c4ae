import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** What was changed elsewhere is noticed within this time, also when no notification came. */
const MAX_AGE_MS = 5_000;
const CACHED_CREDENTIALS = 50_000;
const TOUCH_EVERY_MS = 10_000;

export interface CredentialSource<Holder extends object> {
  /** Null when nobody may use the credential now. */
  load(key: string): Promise<Holder | null>;
  /** Notes that these were used lately, in one statement and at most once a minute for each. */
  touch(keys: string[]): Promise<void>;
}

/**
 * Who stands behind a credential. What is read is kept for 5 s, so that a busy one costs one statement in that time, however many
 * requests come at once, and no write on their path. Who stands behind none is not remembered.
 */
export class CredentialCache<Holder extends object> {
  private readonly cache = new LRUCache<string, Holder>({ ...maxEntries(CACHED_CREDENTIALS), ttl: MAX_AGE_MS, ttlAutopurge: false });
  private readonly loading = new Map<string, Promise<Holder | null>>();
  private readonly seen = new Set<string>();
  /** Counts what was forgotten, so that a read which began before is not kept. */
  private forgotten = 0;
  private readonly touching = setInterval(() => void this.touch(), TOUCH_EVERY_MS).unref();

  constructor(
    private readonly source: CredentialSource<Holder>,
    private readonly logger: Logger,
  ) {}

  find(key: string): Promise<Holder | null> | Holder {
    const known = this.cache.get(key);
    if (known) return known;
    const running = this.loading.get(key);
    if (running) return running;
    const load = this.load(key).finally(() => {
      // After `forget` another load may have taken the place.
      if (this.loading.get(key) === load) this.loading.delete(key);
    });
    this.loading.set(key, load);
    return load;
  }

  forget(key: string): void {
    this.forgotten++;
    this.cache.delete(key);
    this.loading.delete(key);
  }

  /** Forgets whoever the predicate is true for. */
  forgetWhere(isMeant: (holder: Holder) => boolean): void {
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
    this.seen.add(key);
    if (forgotten === this.forgotten) this.cache.set(key, holder);
    return holder;
  }

  private async touch(): Promise<void> {
    if (!this.seen.size) return;
    const keys = [...this.seen];
    this.seen.clear();
    await this.source
      .touch(keys)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'could not note when credentials were last used'));
  }
}
