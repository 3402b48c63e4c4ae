import { Inject, Injectable } from '@nestjs/common';
import { Quotas, type UserCaller } from '@platform/guards';
import { termsOf } from '../../developer/developer-tiers.js';
import { appRequests, UserLimits } from '../../rate-limits.js';
import type { CallTarget } from './call-targets.js';

/** How often functions may be called. */
@Injectable()
export class CallQuotas {
  constructor(@Inject(Quotas) private readonly quotas: Quotas) {}

  /** What one person may call, before anything is looked up for it. @throws AppError 429. */
  ofUser({ userId }: UserCaller, count = 1): Promise<void> {
    return this.quotas.take(UserLimits.calls, userId, count);
  }

  /** What the apps of one developer take together, by whomever they are called: as much as the developer's tier declares. @throws AppError 429. */
  async ofApp({ developer }: CallTarget, count = 1): Promise<void> {
    if (developer) await this.quotas.take(appRequests(termsOf(developer.tier).requests_per_minute), developer.id, count);
  }
}
