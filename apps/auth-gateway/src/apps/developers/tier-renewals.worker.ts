import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasksService, BroadcastService } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { USER_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import type { Developer } from './developer.entity.js';
import { FREE_TIER } from './developer-tiers.js';
import { lockDeveloper } from './lock-developer.js';
import { TierFeesService } from './tier-fees.service.js';
import { setTier, startTierYear } from './tier-terms.js';

const EVERY_MS = 60_000;
const AT_ONCE = 100;

/**
 * Charges the next year when a paid year has ended. Developers whose wallet cannot pay, or whose
 * account or tenant is inactive, move to the free tier.
 */
@Injectable()
export class TierRenewalsWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly fees: TierFeesService,
    private readonly broadcast: BroadcastService,
    @Inject(LOGGER) private readonly logger: Logger,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(EVERY_MS, 'renew-tiers', () => this.renewDueTiers());
  }

  /**
   * Renews or ends all tiers whose paid year has ended. Safe to run in several processes at once:
   * each year is charged once. A failure for one developer is logged and does not stop the others.
   */
  async renewDueTiers(): Promise<void> {
    let last = '';
    for (;;) {
      const ended = await this.dataSource.query<Row<Developer, 'userId'>[]>(
        `SELECT user_id FROM developers WHERE tier_expires_at <= billing_now() AND user_id > $1 ORDER BY user_id LIMIT ${AT_ONCE}`,
        [last],
      );
      for (const { user_id: userId } of ended) {
        last = userId;
        await this.renew(userId).catch((error: unknown) =>
          this.logger.error({ err: error, userId }, 'the renewal of a tier failed'),
        );
      }
      if (ended.length < AT_ONCE) return;
    }
  }

  private async renew(userId: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId, 'd.tier_expires_at <= billing_now()');
      if (!developer) return;
      const { tier, tier_expires_at: from, is_active, tenant_active } = developer;
      const term = developer.tier_term + 1;
      const refused =
        is_active && tenant_active ? await this.fees.tryChargeFee(em, userId, tier, term) : { outcome: 'inactive' };
      if (!refused) await startTierYear(em, { userId, before: developer, tier, term, from });
      else
        await setTier(em, {
          userId,
          before: developer,
          tier: FREE_TIER,
          expiresAt: null,
          metadata: { not_renewed: refused.outcome },
        });
    });
    await this.broadcast.publish(USER_CHANGED, [userId]);
  }
}
