import { Injectable } from '@nestjs/common';
import { CREDITS_PER_CENT } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { LedgerService } from '../ledger/ledger.service.js';
import { throwUnexpectedOutcome } from '../ledger/movements.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';

/** Credits that a period of a plan, or an upgrade within it, grants. */
export interface PlanGrant {
  userId: string;
  /** Idempotency key, made of the subscription, its period and, for an upgrade, the payment. */
  key: string;
  subscriptionId: string;
  credits: number;
  /** US cents that were paid for the credits. */
  paidCents: number;
  /** End of the period. The credits expire then. */
  endsAt: Date;
}

/** Credits of plans. They expire when their period ends. */
@Injectable()
export class PlanGrantsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly wallets: WalletsRepository,
  ) {}

  /**
   * Grants the credits of a period. Safe to retry: the same key grants nothing twice.
   *
   * Developers earn a share only of as many credits as the money is worth. The other credits of a
   * plan are a gift of the platform. If they earned a share, a developer could buy plans, call
   * their own app, and earn more than the plans cost.
   *
   * @returns false if the wallet is closed, because the user was deleted.
   */
  async grantCredits(
    { userId, key, subscriptionId, credits, paidCents, endsAt }: PlanGrant,
    em?: EntityManager,
  ): Promise<boolean> {
    const walletId = await this.wallets.ensureWallet(userId, 'user', em);
    const paid = Math.min(credits, paidCents * CREDITS_PER_CENT);
    const parts = [
      { key, amount: paid, earns: true },
      { key: paid ? `${key}:gift` : key, amount: credits - paid, earns: false },
    ];
    for (const part of parts.filter(({ amount }) => amount > 0)) {
      const credit = {
        ...part,
        kind: 'subscription_grant',
        ref: subscriptionId,
        source: 'plan',
        expiresAt: endsAt,
      } as const;
      const { outcome } = await this.ledger.credit(walletId, credit, em);
      if (outcome === 'closed') return false;
      if (outcome !== 'done' && outcome !== 'replayed') throwUnexpectedOutcome(outcome, part.key);
    }
    return true;
  }
}

/** Idempotency key of the credits of a subscription's period. */
export const grantKey = (subscriptionId: string, number: number): string => `grant:${subscriptionId}:${number}`;
