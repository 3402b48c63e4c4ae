import { Inject, Injectable } from '@nestjs/common';
import { Quotas, type RateLimitPolicy, type UserCaller } from '@platform/guards';
import { CONFIG, type Config } from '../../config.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import type { CallTarget } from './call-targets.js';

/** Of one user, by `call`, `batch` (each of its calls) and `operate`. */
const CALLS_LIMIT = policy('calls', 1_200, MINUTE);
/** What the tier of a developer allows, for all of their apps together. */
const appRequests = (quota: number): RateLimitPolicy => policy('app-requests', quota, MINUTE);
/** What one user may take of that, so that nobody takes it whole. */
const appRequestsOfUser = (quota: number): RateLimitPolicy => policy('app-requests-user', Math.max(1, quota / 4), MINUTE);

/** How often functions may be called. */
@Injectable()
export class CallQuotas {
  constructor(
    private readonly quotas: Quotas,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** What one person may call, before anything is looked up for it. @throws AppError 429. */
  ofUser({ userId }: UserCaller, count = 1): Promise<void> {
    return this.quotas.take(CALLS_LIMIT, userId, count);
  }

  /**
   * What the apps of one developer take together: as much as the developer's tier allows, and a quarter of it by one user. Only for
   * calls that `FunctionCalls` has found good, since whoever may not call must not use up what others may.
   *
   * @param user null for a run of no user.
   * @throws AppError 429.
   */
  async ofApp({ developer }: CallTarget, user: Pick<UserCaller, 'userId'> | null, count = 1): Promise<void> {
    if (!developer || count === 0) return;
    const { requests_per_minute: quota } = this.config.DEVELOPER_TIER_LIMITS[developer.tier];
    if (quota === null) return;
    if (user) await this.quotas.take(appRequestsOfUser(quota), `${developer.id}:${user.userId}`, count);
    await this.quotas.take(appRequests(quota), developer.id, count);
  }
}
