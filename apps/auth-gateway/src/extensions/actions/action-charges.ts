import { Injectable } from '@nestjs/common';
import { Ledger, MeterCounts, unexpectedOutcome, Wallets, type ChargedFunction } from '@platform/billing';
import type { EntityManager } from 'typeorm';
import { shareOfApp } from '../../apps/prices/share-of-app.js';
import { ActionErrors } from './actions.errors.js';

/** An action that is recorded for the first time, or anew once it was forgotten. */
export interface ReportedAction {
  id: string;
  traceId: string;
  userId: string;
  appId: string;
  function: string;
  /** Credits; 0 for one that costs nothing. */
  price: number;
  /** What of it is for the function. */
  extensionPrice: number;
  /** Of a model. */
  tokens: number;
}

const AI_TOKENS = 'ai_tokens';

/** What users are charged for actions that trusted backends report. */
@Injectable()
export class ActionCharges {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallets: Wallets,
    private readonly meters: MeterCounts,
  ) {}

  /**
   * Charges an action and counts its tokens, in the transaction that records it. What was charged once is not charged again, also when its record has
   * gone in the meantime.
   *
   * @throws AppError 409 when it was charged with another price or to another user; 404 where the user's wallet is closed.
   */
  async charge(
    em: EntityManager,
    { id, traceId, userId, appId, function: name, price, extensionPrice, tokens }: ReportedAction,
  ): Promise<void> {
    if (price > 0) {
      const charged = await this.charged(em, { userId, appId, function: name, extensionPrice });
      const walletId = await this.wallets.ensure(userId, 'user', em);
      // It has happened already, so what the wallet lacks is owed.
      const debit = {
        key: `action:${traceId}`,
        amount: price,
        kind: 'action_charge',
        ref: id,
        charged,
        shortfall: 'debt',
      } as const;
      const { outcome } = await this.ledger.debit(walletId, debit, em);
      if (outcome === 'key_reused') throw ActionErrors.pricesDiffer();
      if (outcome === 'closed') throw ActionErrors.userNotFound();
      if (outcome === 'replayed') return;
      if (outcome !== 'done') unexpectedOutcome(outcome, debit.key);
    }
    await this.meters.add(userId, AI_TOKENS, tokens, em);
  }

  /** Nobody has a share of what they use of their own app, of an app of the platform, or of the platform's fee. */
  private async charged(
    em: EntityManager,
    { userId, appId, function: name, extensionPrice }: Pick<ReportedAction, 'userId' | 'appId' | 'function' | 'extensionPrice'>,
  ): Promise<ChargedFunction> {
    const share = await shareOfApp(em, appId);
    const charged = { appId, function: name, ...(share?.priceVersion && { priceVersion: share.priceVersion }) };
    if (!share || share.developerId === userId || extensionPrice === 0) return charged;
    return { ...charged, developer: { id: share.developerId, split: share.split }, base: extensionPrice };
  }
}
