import { Injectable } from '@nestjs/common';
import { CREDITS_PER_CENT } from '@platform/contracts';
import { columns, type Row, type RowOf, type TenantData } from '@platform/persistence';
import { CommissionsService } from '../earnings/commissions.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { throwUnexpectedOutcome } from '../ledger/movements.js';
import type { Page } from '../page.js';
import type { PayoutDestinationRow } from './payout-destinations.repository.js';
import { OPEN_PAYOUT, Payout } from './payout.entity.js';

/** Columns that callers see: all but the tenant and the request. */
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

/**
 * Idempotency key of a payout's debit. The key of the credits that a rejection returns adds
 * `:returned`.
 */
export const payoutKey = (id: string): string => `payout:${id}`;
export const payoutReturnKey = (id: string): string => `${payoutKey(id)}:returned`;

/**
 * The wallet refused the debit of the payout. `insufficient`: the earnings are too small. `closed`:
 * the developer was deleted.
 */
export class PayoutRefused extends Error {
  /** @param available largest possible payout in credits. */
  constructor(
    readonly outcome: 'insufficient' | 'closed',
    readonly available: number,
  ) {
    super(`The payout is refused: ${outcome}.`);
  }
}

interface NewPayout {
  /** Amount in credits. */
  amount: number;
  /** Null if the developer has saved none. */
  destination: Pick<PayoutDestinationRow, 'id' | 'method'> | null;
  notes: string | null;
  /**
   * The same id for a retry of the request, which then makes no second payout. Null: every call
   * makes a payout.
   */
  requestId: string | null;
}

@Injectable()
export class PayoutsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly commissions: CommissionsService,
  ) {}

  /**
   * Creates a payout and debits the earnings, after it has booked all due shares and paid the
   * developer's debt with them. Simultaneous requests run one after the other, because the wallets
   * are locked. With a `requestId` a retry is safe: it returns the first payout with `isNew` false.
   *
   * @throws PayoutRefused `insufficient` if the earnings are smaller than the amount, `closed` if
   * the developer was deleted; the caller must roll back the transaction. Error if another
   * developer used the `requestId`.
   */
  async requestPayout(
    tenant: TenantData,
    developerId: string,
    { amount, destination, notes, requestId }: NewPayout,
  ): Promise<{ payout: PayoutRow; isNew: boolean }> {
    const walletId = await this.commissions.bookDeveloperShares(developerId, tenant.em);
    const [payout] = await tenant.query<PayoutRow>(
      `INSERT INTO payouts (tenant_id, developer_id, amount_tokens, usd_cents, destination_id, method, notes, request_id)
       VALUES ($tenant, $1, $2, $3, $4, coalesce($5, 'manual'), $6, $7) ON CONFLICT (request_id) DO NOTHING RETURNING ${PAYOUT_COLUMNS}`,
      [
        developerId,
        amount,
        amount / CREDITS_PER_CENT,
        destination?.id ?? null,
        destination?.method ?? null,
        notes,
        requestId,
      ],
    );
    if (!payout) return { payout: await this.getRequestedPayout(tenant, developerId, requestId), isNew: false };
    const key = payoutKey(payout.id);
    const { outcome, available } = await this.ledger.debit(
      walletId,
      { key, ref: key, amount, kind: 'payout' },
      tenant.em,
    );
    if (outcome === 'insufficient' || outcome === 'closed') throw new PayoutRefused(outcome, available);
    return outcome === 'done' ? { payout, isNew: true } : throwUnexpectedOutcome(outcome, key);
  }

  /** Payouts, newest first. */
  listPayouts(tenant: TenantData, developerId: string, { limit, offset }: Page): Promise<PayoutRow[]> {
    return tenant.query<PayoutRow>(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [developerId, limit, offset],
    );
  }

  /** Ids of open payouts, oldest first. */
  async listOpenIds(tenant: TenantData, developerId: string): Promise<string[]> {
    const rows = await tenant.query<Row<Payout, 'id'>>(
      `SELECT id FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 AND ${OPEN_PAYOUT} ORDER BY id`,
      [developerId],
    );
    return rows.map(({ id }) => id);
  }

  private async getRequestedPayout(
    tenant: TenantData,
    developerId: string,
    requestId: string | null,
  ): Promise<PayoutRow> {
    const [payout] = await tenant.query<PayoutRow>(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tenant_id = $tenant AND developer_id = $1 AND request_id = $2`,
      [developerId, requestId],
    );
    if (!payout) throw new Error(`The request ${requestId} belongs to another developer.`);
    return payout;
  }

  /**
   * Clears the method, the developer's notes and the operator's note of all payouts of a developer
   * during account deletion. The amounts stay.
   */
  async clearTexts(tenant: TenantData, developerId: string): Promise<void> {
    await tenant.query(
      "UPDATE payouts SET method = 'manual', notes = NULL, admin_note = NULL WHERE tenant_id = $tenant AND developer_id = $1",
      [developerId],
    );
  }
}
