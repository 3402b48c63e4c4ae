import { Inject, Injectable } from '@nestjs/common';
import {
  CREDITS_PER_CENT,
  DEVELOPER_TIERS,
  MIN_PAYOUT,
  type DeveloperConfigResponse,
  type GiveTierRequest,
  type GiveTierResponse,
  type UpdateTierRequest,
  type UpdateTierResponse,
} from '@platform/contracts';
import { actorOf, type Caller, type UserCaller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { USER_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import { assertPlatformCaller } from '../../organisation/current-tenant/platform-callers.js';
import { assertTierAvailable, FREE_TIER, isHigherTier, getTierTerms } from './developer-tiers.js';
import { DeveloperErrors } from './developers.errors.js';
import { lockDeveloper, type LockedDeveloper } from './lock-developer.js';
import { TierFeesService } from './tier-fees.service.js';
import { setTier, startTierYear } from './tier-terms.js';

const CREDIT_USD = 1 / (CREDITS_PER_CENT * 100);

@Injectable()
export class DeveloperTiersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly fees: TierFeesService,
    private readonly broadcast: BroadcastService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Changes the tier of the caller. A higher tier is paid for a year from now; the rest of the
   * previous year is lost. A lower paid tier lasts for the rest of the paid year. The present tier
   * changes nothing.
   *
   * @throws AppError 402 `wallet.insufficient` or `wallet.in_debt` if the wallet cannot pay; 403
   * `developer.tier_by_administrator` for a tier that only administrators give,
   * `developer.not_registered` if the caller is not a developer; 409 `wallet.closed`.
   */
  async updateTier({ userId }: UserCaller, { tier }: UpdateTierRequest): Promise<UpdateTierResponse> {
    const expires_at = await this.withLockedDeveloper(userId, DeveloperErrors.notRegistered, async (em, developer) => {
      if (tier === developer.tier) return developer.tier_expires_at;
      assertTierAvailable(tier, developer.tier);
      if (!isHigherTier(tier, developer.tier)) {
        const expiresAt = tier === FREE_TIER ? null : developer.tier_expires_at;
        return setTier(em, { userId, before: developer, tier, expiresAt });
      }
      const term = developer.tier_term + 1;
      await this.fees.chargeFee(em, userId, tier, term);
      return startTierYear(em, { userId, before: developer, tier, term });
    });
    return { tier, expires_at };
  }

  /**
   * Gives a developer any tier, free of charge and without an end date.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `developer.not_found` if the user is not a developer.
   */
  async grantTier(caller: Caller, { user_id, tier }: GiveTierRequest): Promise<GiveTierResponse> {
    assertPlatformCaller(caller);
    const { id, onBehalfOf: compedBy = id } = actorOf(caller);
    await this.withLockedDeveloper(user_id, DeveloperErrors.notFound, async (em, before) => {
      if (tier === before.tier && before.tier_expires_at === null) return null;
      return setTier(em, { userId: user_id, before, tier, expiresAt: null, metadata: { comped_by: compedBy } });
    });
    return { user_id, tier, comped_by: compedBy };
  }

  /**
   * Returns the limits and prices of each tier.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend.
   */
  getDeveloperConfig(caller: Caller): DeveloperConfigResponse {
    assertPlatformCaller(caller);
    const { DEVELOPER_TIER_LIMITS: limits } = this.config;
    return {
      tiers: DEVELOPER_TIERS.map((tier) => getTierTerms(tier, limits)),
      min_payout: MIN_PAYOUT,
      token_usd: CREDIT_USD,
    };
  }

  /**
   * Locks the developer and applies `change`. Returns the end of the new tier; null if it does not
   * end.
   *
   * @param absent the error to throw if the user is not a developer.
   * @param change returns the end of the new tier; null if it does not end.
   */
  private async withLockedDeveloper(
    userId: string,
    absent: () => Error,
    change: (em: EntityManager, developer: LockedDeveloper) => Promise<Date | null>,
  ): Promise<Date | null> {
    const expiresAt = await this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId);
      if (!developer) throw absent();
      return change(em, developer);
    });
    await this.broadcast.publish(USER_CHANGED, [userId]);
    return expiresAt;
  }
}
