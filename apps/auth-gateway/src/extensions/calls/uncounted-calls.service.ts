import { Injectable } from '@nestjs/common';
import { QuotasService, type RateLimitPolicy } from '@platform/guards';
import { AppError, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DAY, policy } from '../../kernel/rate-limits.js';
import { CallErrors } from './calls.errors.js';

/** Limit of one user, in person or with an API key. */
export const UNCOUNTED_LIMIT = policy('uncounted-calls', 10_000, DAY);
/** Limit of one app that calls for a user. It is separate from the limit of the user. */
export const UNCOUNTED_APP_LIMIT = policy('uncounted-calls-of-app', 5_000, DAY);
/** Limit of all apps together that call for one user. */
export const UNCOUNTED_APPS_LIMIT = policy('uncounted-calls-of-apps', 20_000, DAY);
/** Limit of one app in runs without a user. */
export const UNCOUNTED_RUNS_LIMIT = policy('uncounted-calls-of-runs', 100_000, DAY);

const MOST_REMEMBERED = 10_000;

export interface UncountedCaller {
  /** Null for a run without a user. */
  userId: string | null;
  /** The calling app; null for a user in person. */
  fromApp: string | null;
  /** The called app. */
  appId: string;
}

interface DailyLimit {
  limit: RateLimitPolicy;
  key: string;
}

/**
 * Limits calls that use up no calls of a plan, such as refused calls and calls to functions of the
 * platform. Each is stored as an action for 400 days, so with a limit per minute alone a free
 * account could fill the disk.
 */
@Injectable()
export class UncountedCallsService {
  /**
   * Milliseconds since 1970 at which an exhausted limit has room again. The limit is not asked
   * before that time.
   */
  private readonly over = new LRUCache<string, number>(maxEntries(MOST_REMEMBERED));

  constructor(private readonly quotas: QuotasService) {}

  /**
   * Counts a call for the daily limits of its caller: the user, the apps that call for the user, or
   * the app in a run without a user. Do this before the call runs, or before a refused call is
   * recorded.
   *
   * @throws AppError 429 `rate_limited` with `Retry-After` if a limit is reached.
   */
  async consume(caller: UncountedCaller): Promise<void> {
    for (const taken of limitsOf(caller)) await this.consumeOne(taken);
  }

  private async consumeOne({ limit, key }: DailyLimit): Promise<void> {
    const name = `${limit.name} ${key}`;
    const seconds = ((this.over.get(name) ?? 0) - Date.now()) / 1_000;
    if (seconds > 0) throw CallErrors.tooManyUncounted(Math.ceil(seconds));
    try {
      await this.quotas.consume(limit, key);
    } catch (error) {
      const retryAfter =
        error instanceof AppError && error.status === 429 ? Number(error.options.headers?.['Retry-After']) : NaN;
      if (!Number.isFinite(retryAfter)) throw error;
      this.over.set(name, Date.now() + retryAfter * 1_000);
      throw CallErrors.tooManyUncounted(retryAfter);
    }
  }
}

function limitsOf({ userId, fromApp, appId }: UncountedCaller): DailyLimit[] {
  if (userId === null) return [{ limit: UNCOUNTED_RUNS_LIMIT, key: fromApp ?? appId }];
  if (fromApp === null) return [{ limit: UNCOUNTED_LIMIT, key: userId }];
  return [
    { limit: UNCOUNTED_APP_LIMIT, key: `${userId} ${fromApp}` },
    { limit: UNCOUNTED_APPS_LIMIT, key: userId },
  ];
}
