import { Injectable } from '@nestjs/common';
import { CREDITS_PER_CENT } from '@platform/contracts';
import { columns, type Row, type RowOf, type TenantData } from '@platform/persistence';
import { Commissions } from '../earnings/commissions.js';
import { Ledger } from '../ledger/ledger.js';
import { unexpectedOutcome } from '../ledger/movements.js';
import type { Page } from '../page.js';
import type { PayoutDestinationRow } from './payout-destinations.repository.js';
import { OPEN_PAYOUT, Payout } from './payout.entity.js';

/** What is shown of a payout: all but its tenant and request. */
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

/** The key of a payout's debit. What gives it back has `:returned` behind it. */
export const payoutKey = (id: string): string => `payout:${id}`;
export const payoutReturnKey = (id: string): string => `${payoutKey(id)}:returned`;

/** The wallet did not let the payout be debited. */
export class PayoutRefused extends Error {
  /** @param available credits that a payout can be of. */
  constructor(
    readonly outcome: 'insufficient' | 'closed',
    readonly available: number,
  ) {
    super(`The payout is refused: ${outcome}.`);
  }
}

interface PayoutAsked {
  /** Credits. */
  amount: number;
  /** Null where the developer keeps none. */
  destination: Pick<PayoutDestinationRow, 'id' | 'method'> | null;
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
   * Debits the earnings, after booking all that there are and paying the developer's debt with them, and keeps what was asked for. Requests that come at once have their turn one after the
   * other, since the wallet is locked. `isNew` is false where the request had been made before.
   *
   * @throws PayoutRefused, which must end the transaction.
   */
  async request(
    tenant: TenantData,
    developerId: string,
    { amount, destination, notes, requestId }: PayoutAsked,
  ): Promise<{ payout: PayoutRow; isNew: boolean }> {
    const walletId = await this.commissions.bookOf(developerId, tenant.em);
    const [payout] = await tenant.query<PayoutRow>(
      `INSERT INTO payouts (tenant_id, developer_id, amount_tokens, usd_cents, destination_id, method, notes, request_id)
       VALUES ($tenant, $1, $2, $3, $4, coalesce($5, 'manual'), $6, $7) ON CONFLICT (request_id) DO NOTHING RETURNING ${PAYOUT_COLUMNS}`,
      [developerId, amount, amount / CREDITS_PER_CENT, destination?.id ?? null, destination?.method ?? null, notes, requestId],
    );
    if (!payout) return { payout: await this.requested(tenant, developerId, requestId), isNew: false };
    const key = payoutKey(payout.id);
    const { outcome, available } = await this.ledger.debit(walletId, { key, ref: key, amount, kind: 'payout' }, tenant.em);
    if (outcome === 'insufficient' || outcome === 'closed') throw new PayoutRefused(outcome, available);
    return outcome === 'done' ? { payout, isNew: true } : unexpectedOutcome(outcome, key);
  }

  /** The newest first. */
  list(tenant: TenantData, developerId: string, { limit, offset }: Page): Promise<PayoutRow[]> {
    return tenant.query<PayoutRow>(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [developerId, limit, offset],
    );
  }

  /** Of payouts that are not over, the oldest first. */
  async openIds(tenant: TenantData, developerId: string): Promise<string[]> {
    const rows = await tenant.query<Row<Payout, 'id'>>(
      `SELECT id FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 AND ${OPEN_PAYOUT} ORDER BY id`,
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
