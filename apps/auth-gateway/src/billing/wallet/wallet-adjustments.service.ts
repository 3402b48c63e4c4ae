import { Injectable } from '@nestjs/common';
import {
  LedgerService,
  throwUnexpectedOutcome,
  WalletErrors,
  WalletsRepository,
  type MovementResult,
} from '@platform/billing';
import type { AdjustWalletRequest, AdjustWalletResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { TenantData, type Row } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import type { User } from '../../identity/accounts/user.entity.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { assertPlatformCaller } from '../../organisation/current-tenant/platform-callers.js';
import { toTransactionId } from './transaction-id.js';
import { WalletAdjustmentErrors } from './wallet-adjustments.errors.js';

/** Credits that administrators of the platform add to wallets or take from them. */
@Injectable()
export class WalletAdjustmentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsRepository,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * Adds credits to a user's wallet or takes credits from it. Safe to retry with the same
   * `idempotentRequestId`.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `user.not_found`; 409 `wallet.closed` for a deleted user;
   * 409 `wallet.too_little` if fewer credits can be taken. ValidationFailed (422) if `earns` is
   * true and credits are taken.
   */
  adjustWallet(
    caller: Caller,
    userId: string,
    request: AdjustWalletRequest,
    idempotentRequestId: string | null,
  ): Promise<AdjustWalletResponse> {
    assertPlatformCaller(caller);
    const { amount, note, earns } = request;
    if (earns && amount < 0) throw WalletAdjustmentErrors.takenDoNotEarn();
    return this.dataSource.transaction(async (em) => {
      const tenantId = await this.tenantOf(em, userId);
      const walletId = await this.wallets.ensureWallet(userId, 'user', em);
      const { outcome, seq, balanceAfter } = await this.bookAdjustment(
        em,
        walletId,
        request,
        `adjust:${idempotentRequestId ?? newId('adj')}`,
      );
      const transactionId = toTransactionId(walletId, seq);
      if (outcome === 'done') {
        await recordAudit(em, {
          action: 'wallet.adjusted',
          target: { type: 'wallet', id: userId },
          tenantId,
          before: { balance: balanceAfter - amount },
          after: { balance: balanceAfter },
          metadata: { transaction_id: transactionId, amount, note, earns },
        });
      }
      const { available, held, debt } = await this.wallets.getWalletState(new TenantData(em, tenantId), userId);
      return { user_id: userId, transaction_id: transactionId, amount, balance: available, held, debt };
    });
  }

  /**
   * Tenant of the user. Locks the user, so that an account deletion waits.
   *
   * @throws AppError 404 `user.not_found`; 409 `wallet.closed` for a deleted user.
   */
  private async tenantOf(em: EntityManager, userId: string): Promise<string> {
    const [user] = await em.query<Row<User, 'tenantId' | 'erasedAt'>[]>(
      'SELECT tenant_id, erased_at FROM users WHERE id = $1 FOR SHARE',
      [userId],
    );
    if (!user) throw UserErrors.notFound();
    if (user.erased_at) throw WalletErrors.closed();
    return user.tenant_id;
  }

  private async bookAdjustment(
    em: EntityManager,
    walletId: string,
    { amount, note, earns }: AdjustWalletRequest,
    key: string,
  ): Promise<Adjusted> {
    const movement = { key, amount: Math.abs(amount), kind: 'admin_adjustment', description: note } as const;
    const result =
      amount > 0
        ? await this.ledger.credit(walletId, { ...movement, source: 'adjustment', earns }, em)
        : await this.ledger.debit(walletId, movement, em);
    const { outcome, available } = result;
    if (outcome === 'closed') throw WalletErrors.closed();
    // The credits of a wallet in debt pay the debt, so none can be taken.
    if (outcome === 'insufficient' || outcome === 'in_debt')
      throw WalletAdjustmentErrors.tooLittle(outcome === 'in_debt' ? 0 : available);
    return isAdjusted(result) ? result : throwUnexpectedOutcome(outcome, key);
  }
}

type Adjusted = MovementResult & { outcome: 'done' | 'replayed'; seq: number; balanceAfter: number };

const isAdjusted = (result: MovementResult): result is Adjusted =>
  (result.outcome === 'done' || result.outcome === 'replayed') && result.seq !== null && result.balanceAfter !== null;
