import { Injectable } from '@nestjs/common';
import { SubscriptionsService, WalletHistoryRepository, WalletsRepository, type BookingRow } from '@platform/billing';
import type { LedgerEntry, WalletHistoryQuery, WalletResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { toTransactionId } from './transaction-id.js';

/** Wallets as the API returns them. A user without a wallet gets an empty one. */
@Injectable()
export class UserWalletsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsRepository,
    private readonly entries: WalletHistoryRepository,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  async getWallet({ userId, tenantId }: UserCaller): Promise<WalletResponse> {
    const [state, { plan, status, includedTokens }] = await Promise.all([
      this.wallets.getWalletState(this.tenantData(tenantId), userId),
      this.subscriptions.getCurrentPlan(userId),
    ]);
    return {
      balance: state.available,
      currency: 'credits',
      updated_at: state.updatedAt,
      plan,
      status,
      cap: includedTokens,
      included_tokens: includedTokens,
      held: state.held,
      debt: state.debt,
    };
  }

  async listWalletHistory({ userId, tenantId }: UserCaller, query: WalletHistoryQuery): Promise<LedgerEntry[]> {
    const rows = await this.entries.listBookings(this.tenantData(tenantId), userId, query);
    return rows.map(toEntry);
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

const toEntry = ({
  wallet_id,
  seq,
  amount,
  kind,
  app_id,
  function: name,
  description,
  at,
  balance_after,
}: BookingRow): LedgerEntry => ({
  id: Number(seq),
  transaction_id: toTransactionId(wallet_id, seq),
  amount: Number(amount),
  reason: kind,
  app_id,
  function: name,
  description,
  created_at: at,
  balance_after: Number(balance_after),
});
