import { Injectable } from '@nestjs/common';
import {
  LedgerService,
  MeterCountsRepository,
  throwUnexpectedOutcome,
  WalletsRepository,
  type ChargedFunction,
} from '@platform/billing';
import type { EntityManager } from 'typeorm';
import { findAppShare } from '../../apps/prices/app-share.js';
import { ActionErrors } from './actions.errors.js';

/** An action that is recorded for the first time, or again after its record was deleted. */
export interface ReportedAction {
  id: string;
  traceId: string;
  userId: string;
  appId: string;
  function: string;
  /** Credits; 0 if the action is free. */
  price: number;
  /** Part of `price` for the function; the rest is the platform's fee. */
  extensionPrice: number;
  /** Tokens of an AI model. */
  tokens: number;
}

const AI_TOKENS = 'ai_tokens';

/** Charges users for actions that backends report. */
@Injectable()
export class ActionChargesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly wallets: WalletsRepository,
    private readonly meters: MeterCountsRepository,
  ) {}

  /**
   * Charges the user for an action, with a share for the app's developer, and counts its AI tokens,
   * in the transaction `em` that records the action. Credits that the user lacks become debt. A
   * paid action is charged, and its tokens are counted, only once per trace ID, even if its record
   * was deleted meanwhile.
   *
   * @throws AppError 409 `action.prices_differ` if an action with this trace ID was charged with
   * another price or to another user; 404 `user.not_found` if the user's wallet is closed.
   */
  async charge(
    em: EntityManager,
    { id, traceId, userId, appId, function: name, price, extensionPrice, tokens }: ReportedAction,
  ): Promise<void> {
    if (price > 0) {
      const charged = await this.chargeDetailsOf(em, { userId, appId, function: name, extensionPrice });
      const walletId = await this.wallets.ensureWallet(userId, 'user', em);
      // The action has already happened, so a missing amount becomes debt.
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
      if (outcome !== 'done') throwUnexpectedOutcome(outcome, debit.key);
    }
    await this.meters.addUse(userId, AI_TOKENS, tokens, em);
  }

  /**
   * Returns the booking's details: the app, the function, the version of the app's prices, and the
   * developer with their share of `extensionPrice`. Without a developer if the app belongs to the
   * platform, the user is the developer, or `extensionPrice` is 0: then the platform gets the whole
   * price.
   */
  private async chargeDetailsOf(
    em: EntityManager,
    {
      userId,
      appId,
      function: name,
      extensionPrice,
    }: Pick<ReportedAction, 'userId' | 'appId' | 'function' | 'extensionPrice'>,
  ): Promise<ChargedFunction> {
    const share = await findAppShare(em, appId);
    const charged = { appId, function: name, ...(share?.priceVersion && { priceVersion: share.priceVersion }) };
    if (!share || share.developerId === userId || extensionPrice === 0) return charged;
    return { ...charged, developer: { id: share.developerId, split: share.split }, base: extensionPrice };
  }
}
