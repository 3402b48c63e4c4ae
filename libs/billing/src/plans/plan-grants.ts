import { Injectable } from '@nestjs/common';
import { CREDITS_PER_CENT } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { Ledger } from '../ledger/ledger.js';
import { unexpectedOutcome } from '../ledger/movements.js';
import { Wallets } from '../ledger/wallets.js';

/** Credits that a period, or a change within it, brings. */
export interface PlanGrant {
  userId: string;
  /** Of the subscription and its period, and of the change where it is one. */
  key: string;
  subscriptionId: string;
  credits: number;
  /** What was paid for them. */
  paidCents: number;
  /** When the period ends. */
  endsAt: Date;
}

/** Credits of plans. They are gone when their period ends. */
@Injectable()
export class PlanGrants {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallets: Wallets,
  ) {}

  /**
   * Developers earn of as many credits as the money is worth. What a plan brings beyond that is a gift of the platform: were there a share of it, a developer
   * could earn more by buying plans and calling their own app than the plans cost.
   *
   * Again, it gives none twice. False where the wallet is closed.
   */
  async give({ userId, key, subscriptionId, credits, paidCents, endsAt }: PlanGrant, em?: EntityManager): Promise<boolean> {
    const walletId = await this.wallets.ensure(userId, 'user', em);
    const paid = Math.min(credits, paidCents * CREDITS_PER_CENT);
    const parts = [
      { key, amount: paid, earns: true },
      { key: paid ? `${key}:gift` : key, amount: credits - paid, earns: false },
    ];
    for (const part of parts.filter(({ amount }) => amount > 0)) {
      const credit = { ...part, kind: 'subscription_grant', ref: subscriptionId, source: 'plan', expiresAt: endsAt } as const;
      const { outcome } = await this.ledger.credit(walletId, credit, em);
      if (outcome === 'closed') return false;
      if (outcome !== 'done' && outcome !== 'replayed') unexpectedOutcome(outcome, part.key);
    }
    return true;
  }
}

/** The key of what a period of a subscription brings. */
export const grantKey = (subscriptionId: string, number: number): string => `grant:${subscriptionId}:${number}`;
