import { Inject, Injectable } from '@nestjs/common';
import { QuotasService, type RateLimitPolicy, type UserCaller } from '@platform/guards';
import { CONFIG, type Config } from '../../config.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import type { CallTarget } from './call-targets.service.js';

/** Rate limit of one user for `call`, `batch` (each of its calls) and `operate`. */
const CALLS_LIMIT = policy('calls', 1_200, MINUTE);
/** Rate limit of a developer's tier, for all apps of the developer together. */
const appRequests = (quota: number): RateLimitPolicy => policy('app-requests', quota, MINUTE);
/** Share of that limit for one user: a quarter, so that no single user takes all of it. */
const appRequestsOfUser = (quota: number): RateLimitPolicy =>
  policy('app-requests-user', Math.max(1, quota / 4), MINUTE);

/** Rate limits of calls. */
@Injectable()
export class CallQuotasService {
  constructor(
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts calls for the user's own rate limit of 1,200 calls in a minute, before anything is
   * looked up for them.
   *
   * @throws AppError 429 `rate_limited` if the limit has no room for all of them.
   */
  consumeOfUser({ userId }: UserCaller, count = 1): Promise<void> {
    return this.quotas.consume(CALLS_LIMIT, userId, count);
  }

  /**
   * Counts calls to the apps of one developer: up to the limit of the developer's tier, and a
   * quarter of it per user. Apps of the platform and some tiers have no limit. Count only calls
   * that `FunctionCallsService.validateCall` accepts, so that users without access cannot use up
   * the limit.
   *
   * @param user null for a run without a user.
   * @throws AppError 429 `rate_limited` if a limit has no room for all of them.
   */
  async consumeOfApp({ developer }: CallTarget, user: Pick<UserCaller, 'userId'> | null, count = 1): Promise<void> {
    if (!developer || count === 0) return;
    const { requests_per_minute: quota } = this.config.DEVELOPER_TIER_LIMITS[developer.tier];
    if (quota === null) return;
    if (user) await this.quotas.consume(appRequestsOfUser(quota), `${developer.id}:${user.userId}`, count);
    await this.quotas.consume(appRequests(quota), developer.id, count);
  }
}
