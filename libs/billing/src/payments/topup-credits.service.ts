import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LedgerService } from '../ledger/ledger.service.js';
import { throwUnexpectedOutcome } from '../ledger/movements.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import type { PaymentRow } from './payment-row.js';
import { TOPUP_PURPOSES } from './payment.entity.js';
import { PaymentStatusService } from './payment-status.service.js';

/** Credits that users buy. They never expire, and developers earn shares when they are spent. */
@Injectable()
export class TopUpCreditsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly ledger: LedgerService,
    paymentStatus: PaymentStatusService,
  ) {
    for (const purpose of TOPUP_PURPOSES) paymentStatus.onPaid(purpose, (em, payment) => this.credit(em, payment));
  }

  /**
   * Adds the bought credits to the user's wallet. False if the wallet is closed because the user
   * was deleted.
   */
  private async credit(em: EntityManager, { id, user_id, credits }: PaymentRow): Promise<boolean> {
    const walletId = await this.wallets.ensureWallet(user_id, 'user', em);
    const key = topupKey(id);
    const credit = { key, ref: id, amount: Number(credits), kind: 'topup', source: 'topup', earns: true } as const;
    const { outcome } = await this.ledger.credit(walletId, credit, em);
    if (outcome === 'closed') return false;
    return outcome === 'done' || throwUnexpectedOutcome(outcome, key);
  }
}

/** Idempotency key of the ledger entry with a payment's credits. */
export const topupKey = (paymentId: string): string => `topup:${paymentId}`;
