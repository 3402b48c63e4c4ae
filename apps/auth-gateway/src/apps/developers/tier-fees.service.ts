import {
  LedgerService,
  throwUnexpectedOutcome,
  WalletErrors,
  WalletsRepository,
  type Outcome,
} from '@platform/billing';
import { Injectable } from '@nestjs/common';
import type { DeveloperTier } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { getTierPrice } from './developer-tiers.js';

/**
 * Charges the price of a year of a tier to the developer's own wallet, in the transaction that
 * starts the year.
 */
@Injectable()
export class TierFeesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly wallets: WalletsRepository,
  ) {}

  /**
   * Charges the price of a year of a tier to the wallet of the developer.
   *
   * @param term number of this paid year. Each number is charged once, so a retry is safe.
   * @throws AppError 402 `wallet.insufficient` or `wallet.in_debt` if the wallet cannot pay; 409
   * `wallet.closed`.
   */
  async chargeFee(em: EntityManager, userId: string, tier: DeveloperTier, term: number): Promise<void> {
    const refused = await this.tryChargeFee(em, userId, tier, term);
    if (refused) throw refusals[refused.outcome](getTierPrice(tier), refused.available);
  }

  /**
   * Charges the price of a year of a tier to the wallet of the developer, once for each `term`
   * (number of the paid year). Returns null if the fee was paid; otherwise the reason: too few
   * credits, a debt, or a closed wallet. Then nothing was charged.
   */
  async tryChargeFee(em: EntityManager, userId: string, tier: DeveloperTier, term: number): Promise<RefusedFee | null> {
    const walletId = await this.wallets.ensureWallet(userId, 'user', em);
    const key = `tier:${userId}:${term}`;
    const fee = {
      key,
      ref: key,
      amount: getTierPrice(tier),
      kind: 'tier_fee',
      description: `A year of the tier ${tier}`,
    } as const;
    const { outcome, available } = await this.ledger.debit(walletId, fee, em);
    if (outcome === 'done') return null;
    return isRefusal(outcome) ? { outcome, available } : throwUnexpectedOutcome(outcome, key);
  }
}

const refusals = { insufficient: WalletErrors.insufficient, in_debt: WalletErrors.inDebt, closed: WalletErrors.closed };

interface RefusedFee {
  outcome: keyof typeof refusals;
  /** Credits that the wallet can spend. */
  available: number;
}

const isRefusal = (outcome: Outcome): outcome is RefusedFee['outcome'] => Object.hasOwn(refusals, outcome);
