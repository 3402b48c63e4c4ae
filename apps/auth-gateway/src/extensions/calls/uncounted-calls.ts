import { Inject, Injectable } from '@nestjs/common';
import { Quotas } from '@platform/guards';
import { AppError, LOGGER, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DAY, policy } from '../../kernel/rate-limits.js';
import { CallErrors } from './calls.errors.js';

/** Of one user. */
export const UNCOUNTED_LIMIT = policy('uncounted-calls', 10_000, DAY);
/** Of one app, in runs of no user. */
export const UNCOUNTED_APP_LIMIT = policy('uncounted-app-calls', 100_000, DAY);

const MOST_REMEMBERED = 10_000;

/** A user, or an app that calls for no user. */
export interface Uncounted {
  userId: string | null;
  /** The app that calls. */
  appId: string;
}

/**
 * Limits calls that use up no calls of a plan, such as those of functions of the platform and those that are refused. Each is kept as an action for 400 days,
 * so a limit per minute alone would let a free account fill the disk.
 */
@Injectable()
export class UncountedCalls {
  /** When a key may call again, in milliseconds since 1970. */
  private readonly over = new LRUCache<string, number>(maxEntries(MOST_REMEMBERED));

  constructor(
    private readonly quotas: Quotas,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @throws AppError 429 where this process has counted more than the limit. */
  assertLeft(who: Uncounted): void {
    const seconds = ((this.over.get(keyOf(who)) ?? 0) - Date.now()) / 1_000;
    if (seconds > 0) throw CallErrors.tooManyUncounted(Math.ceil(seconds));
  }

  /** Counts a call that was made. Never rejects: its caller is told what the call answered. */
  async count(who: Uncounted): Promise<void> {
    const limit = who.userId === null ? UNCOUNTED_APP_LIMIT : UNCOUNTED_LIMIT;
    try {
      await this.quotas.take(limit, keyOf(who));
    } catch (error) {
      const seconds = error instanceof AppError && error.status === 429 ? Number(error.options.headers?.['Retry-After']) : NaN;
      if (Number.isFinite(seconds)) this.over.set(keyOf(who), Date.now() + seconds * 1_000);
      else this.log.warn({ err: error }, 'a call could not be counted');
    }
  }
}

const keyOf = ({ userId, appId }: Uncounted): string => userId ?? appId;
