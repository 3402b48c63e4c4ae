import { Ledger, unexpectedOutcome, WalletErrors, Wallets, type Outcome } from '@platform/billing';
import { Injectable } from '@nestjs/common';
import type { DeveloperTier } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { priceOf } from './developer-tiers.js';

/** Takes what a year of a tier costs from the developer's own wallet, in the transaction that gives them the year. */
@Injectable()
export class TierFees {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallets: Wallets,
  ) {}

  /**
   * @param term counts the years that they have paid, this one included: each is paid once.
   * @throws AppError 402 where the wallet cannot pay, 409 where it is closed.
   */
  async charge(em: EntityManager, userId: string, tier: DeveloperTier, term: number): Promise<void> {
    const refused = await this.tryToCharge(em, userId, tier, term);
    if (refused) throw refusals[refused.outcome](priceOf(tier), refused.available);
  }

  /** Null when it is paid; else nothing has changed. */
  async tryToCharge(em: EntityManager, userId: string, tier: DeveloperTier, term: number): Promise<RefusedFee | null> {
    const walletId = await this.wallets.ensure(userId, 'user', em);
    const key = `tier:${userId}:${term}`;
    const fee = {
      key,
      ref: key,
      amount: priceOf(tier),
      kind: 'tier_fee',
      description: `A year of the tier ${tier}`,
    } as const;
    const { outcome, available } = await this.ledger.debit(walletId, fee, em);
    if (outcome === 'done') return null;
    return isRefusal(outcome) ? { outcome, available } : unexpectedOutcome(outcome, key);
  }
}

const refusals = { insufficient: WalletErrors.insufficient, in_debt: WalletErrors.inDebt, closed: WalletErrors.closed };

interface RefusedFee {
  outcome: keyof typeof refusals;
  /** What can be spent. */
  available: number;
}

const isRefusal = (outcome: Outcome): outcome is RefusedFee['outcome'] => Object.hasOwn(refusals, outcome);
