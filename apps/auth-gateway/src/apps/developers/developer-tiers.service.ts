import { Inject, Injectable } from '@nestjs/common';
import {
  DEVELOPER_TIERS,
  type DeveloperConfigResponse,
  type DeveloperTier,
  type GiveTierRequest,
  type GiveTierResponse,
  type UpdateTierRequest,
  type UpdateTierResponse,
} from '@platform/contracts';
import { actorOf, type Caller, type UserCaller } from '@platform/guards';
import { Notifications } from '@platform/messaging';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import { USER_CHANGED } from '../../identity/sessions/signed-in-users.js';
import { assertRunsPlatform } from '../../organisation/current-tenant/platform-only.js';
import { Developer } from './developer.entity.js';
import { assertMayTake, termsOf } from './developer-tiers.js';
import { DeveloperErrors } from './developers.errors.js';
import { lockDeveloper } from './lock-developer.js';

const MIN_PAYOUT_CREDITS = 10_000;
const CREDIT_USD = 0.001;

@Injectable()
export class DeveloperTiers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError 402 and 403 for a tier above the present one, 403 for who is no developer. */
  async update({ userId }: UserCaller, { tier }: UpdateTierRequest): Promise<UpdateTierResponse> {
    await this.change(userId, tier, DeveloperErrors.notRegistered, { assertMay: (present) => assertMayTake(tier, present) });
    return { tier, expires_at: null };
  }

  /** Any tier, free of charge. @throws AppError 403, 404 when the user is no developer. */
  async give(caller: Caller, { user_id, tier }: GiveTierRequest): Promise<GiveTierResponse> {
    assertRunsPlatform(caller);
    const { id, onBehalfOf: compedBy = id } = actorOf(caller);
    await this.change(user_id, tier, DeveloperErrors.notFound, { metadata: { comped_by: compedBy } });
    return { user_id, tier, comped_by: compedBy };
  }

  /** What each tier allows and costs. @throws AppError 403. */
  tiers(caller: Caller): DeveloperConfigResponse {
    assertRunsPlatform(caller);
    const { DEVELOPER_TIER_LIMITS: limits } = this.config;
    return { tiers: DEVELOPER_TIERS.map((tier) => termsOf(tier, limits)), min_payout: MIN_PAYOUT_CREDITS, token_usd: CREDIT_USD };
  }

  private async change(
    userId: string,
    tier: DeveloperTier,
    absent: () => Error,
    { assertMay, metadata }: { assertMay?: (present: DeveloperTier) => void; metadata?: object },
  ): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId);
      if (!developer) throw absent();
      assertMay?.(developer.tier);
      if (tier === developer.tier) return;
      await em.update(Developer, { userId }, { tier });
      const target = { type: 'developer', id: userId };
      const change = { before: { tier: developer.tier }, after: { tier }, metadata };
      await recordAudit(em, { action: 'developer.tier_changed', target, tenantId: developer.tenantId, ...change });
    });
    await this.notifications.publish(USER_CHANGED, [userId]);
  }
}
