import { Injectable } from '@nestjs/common';
import { CREDITS_PER_CENT, type ListPayoutsQuery } from '@platform/contracts';
import { columns, type Row, type RowOf, type TenantData } from '@platform/persistence';
import { Commissions } from '../earnings/commissions.js';
import { Ledger } from '../ledger/ledger.js';
import type { MovementResult } from '../ledger/movements.js';
import { Payout } from './payout.entity.js';

/** All that there is of a payout, but for whose tenant it is of. */
export const PAYOUT_COLUMNS = columns(Payout, [
  'id',
  'developerId',
  'amountTokens',
  'usdCents',
  'status',
  'method',
  'notes',
  'adminNote',
  'reference',
  'requestedAt',
  'processedAt',
]);
export type PayoutRow = RowOf<typeof PAYOUT_COLUMNS>;

/** The key of the debit of a payout, and of what gives it back. */
export const payoutKey = (id: string): string => `payout:${id}`;

interface PayoutAsked {
  /** Credits. */
  amount: number;
  method: string | null;
  notes: string | null;
  /** The same when a request is tried again, which then makes no other payout. */
  requestId: string | null;
}

/** Payouts of one developer. */
@Injectable()
export class Payouts {
  constructor(
    private readonly ledger: Ledger,
    private readonly commissions: Commissions,
  ) {}

  /**
   * Debits the earnings, after booking all that there are, and keeps what was asked for. Of requests at once the wallet lets one after the other
   * decide. Where the debit is refused the transaction must not be committed. Null without a debit: the request had been made before.
   */
  async request(
    tenant: TenantData,
    developerId: string,
    { amount, method, notes, requestId }: PayoutAsked,
  ): Promise<{ debit: MovementResult | null; payout: PayoutRow }> {
    const walletId = await this.commissions.bookOf(developerId, tenant.em);
    const [payout] = await tenant.query<PayoutRow>(
      `INSERT INTO payouts (tenant_id, developer_id, amount_tokens, usd_cents, method, notes, request_id)
       VALUES ($tenant, $1, $2, $3, coalesce($4, 'manual'), $5, $6) ON CONFLICT (request_id) DO NOTHING RETURNING ${PAYOUT_COLUMNS}`,
      [developerId, amount, amount / CREDITS_PER_CENT, method, notes, requestId],
    );
    if (!payout) return { debit: null, payout: await this.requested(tenant, developerId, requestId) };
    const key = payoutKey(payout.id);
    const debit = await this.ledger.debit(walletId, { key, ref: key, amount, kind: 'payout' }, tenant.em);
    return { debit, payout };
  }

  /** The newest first. */
  list(tenant: TenantData, developerId: string, { limit, offset }: ListPayoutsQuery): Promise<PayoutRow[]> {
    return tenant.query<PayoutRow>(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [developerId, limit, offset],
    );
  }

  /** Of payouts that are not over, the oldest first. */
  async open(tenant: TenantData, developerId: string): Promise<string[]> {
    const rows = await tenant.query<Row<Payout, 'id'>>(
      `SELECT id FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 AND status IN ('pending', 'approved') ORDER BY id`,
      [developerId],
    );
    return rows.map(({ id }) => id);
  }

  private async requested(tenant: TenantData, developerId: string, requestId: string | null): Promise<PayoutRow> {
    const [payout] = await tenant.query<PayoutRow>(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 AND request_id = $2`,
      [developerId, requestId],
    );
    if (!payout) throw new Error(`The request ${requestId} is another developer's.`);
    return payout;
  }

  /** Of a user who is erased: what people wrote goes, what was paid stays. */
  async forgetTexts(tenant: TenantData, developerId: string): Promise<void> {
    await tenant.query(
      "UPDATE payouts SET method = 'manual', notes = NULL, admin_note = NULL WHERE tenant_id = $tenant AND developer_id = $1",
      [developerId],
    );
  }
}
