import { Injectable } from '@nestjs/common';
import type { OpenPayoutStatus, PayoutStatus } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { CommissionsService } from '../earnings/commissions.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { throwUnexpectedOutcome } from '../ledger/movements.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import type { Page } from '../page.js';
import { OPEN_PAYOUT, Payout } from './payout.entity.js';
import { PAYOUT_COLUMNS, payoutKey, payoutReturnKey, type PayoutRow } from './payouts.service.js';

const OPEN = columns(
  Payout,
  ['id', 'developerId', 'amountTokens', 'usdCents', 'status', 'method', 'notes', 'adminNote', 'requestedAt'],
  'p',
);
/** The columns of the destination are null if the developer has saved none. */
export type OpenPayoutRow = RowOf<typeof OPEN> & {
  nickname: string | null;
  email: string;
  destination_id: string | null;
  sealed_details: string | null;
  destination_set_at: Date | null;
  /** Debt of the developer, in credits. */
  debt: string;
  /**
   * Credits of the payout that were possibly earned in the days in which cards can still be
   * disputed; an upper bound. Earnings are paid out in the order in which they were earned.
   */
  disputable_tokens: string;
};

const DECIDED = `${PAYOUT_COLUMNS}, tenant_id`;
export type DecidedPayout = PayoutRow & { tenant_id: string };

/**
 * `done`: the decision was made. `same`: the same decision had been made before. `refused`: the
 * payout has another status. `in_debt`: the developer owes the platform credits.
 */
export interface PayoutDecision {
  outcome: 'done' | 'same' | 'refused' | 'in_debt';
  /** The payout after the decision. */
  payout: DecidedPayout;
  /** Debt of the developer in credits; absent unless `in_debt`. */
  debt?: number;
}

interface StatusChange {
  from: OpenPayoutStatus;
  to: PayoutStatus;
  note?: string;
  reference?: string;
}

/**
 * Decisions of operators about payouts of all tenants. Each decision is one update that requires
 * the previous status: of two simultaneous ones only one takes effect. Approving and rejecting lock
 * the wallets of the developer before the payout, so that a debt arises either before or after a
 * decision.
 */
@Injectable()
export class PayoutDecisionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerService,
    private readonly wallets: WalletsRepository,
    private readonly commissions: CommissionsService,
  ) {}

  /**
   * Lists the open payouts of all tenants with this status, longest waiting first. The second
   * condition lets PostgreSQL use payouts_open_idx.
   *
   * @param disputableDays days in which a card payment can still be disputed; see
   * `disputable_tokens`.
   */
  listOpenPayouts(status: OpenPayoutStatus, { limit, offset }: Page, disputableDays: number): Promise<OpenPayoutRow[]> {
    return this.dataSource.query<OpenPayoutRow[]>(
      `SELECT ${OPEN}, u.nickname, u.email, d.id AS destination_id, d.sealed_details, d.created_at AS destination_set_at,
         coalesce(w.debt, 0) AS debt,
         least(p.amount_tokens, greatest(0, p.amount_tokens - greatest(0, e.balance_before - young.share))) AS disputable_tokens
       FROM (
         SELECT * FROM payouts WHERE status = $1 AND ${OPEN_PAYOUT} ORDER BY id LIMIT $2 OFFSET $3
       ) AS p JOIN users u ON u.id = p.developer_id
         LEFT JOIN payout_destinations d ON d.id = p.destination_id
         LEFT JOIN wallets w ON w.user_id = p.developer_id AND w.kind = 'user'
         LEFT JOIN ledger_entries e ON e.idem_key = 'payout:' || p.id
         CROSS JOIN LATERAL (
           SELECT coalesce(sum(ed.share), 0) AS share FROM earnings_by_day ed WHERE ed.developer_id = p.developer_id
             AND ed.day BETWEEN (billing_now() AT TIME ZONE 'UTC')::date - $4::integer AND (p.requested_at AT TIME ZONE 'UTC')::date
         ) AS young
       ORDER BY p.id`,
      [status, limit, offset, disputableDays],
    );
  }

  /**
   * Approves a pending payout. Books all due shares of the developer and pays the developer's debt
   * with earnings first, whatever the outcome. The outcome is `in_debt` while some debt is left
   * (the payout stays pending), `same` if the payout was approved before, and `refused` if it was
   * rejected or paid. Null if it does not exist.
   */
  async approve(em: EntityManager, id: number, note: string): Promise<PayoutDecision | null> {
    const developerId = await developerOf(em, id);
    if (developerId === null) return null;
    const debt = await this.ledger.payDebt(await this.commissions.bookDeveloperShares(developerId, em), em);
    const [payout] = await em.query<DecidedPayout[]>(`SELECT ${DECIDED} FROM payouts WHERE id = $1 FOR NO KEY UPDATE`, [
      id,
    ]);
    if (debt > 0 && payout?.status === 'pending') return { outcome: 'in_debt', payout, debt };
    return this.changeStatus(em, id, { from: 'pending', to: 'approved', note });
  }

  /**
   * Rejects a payout with the status `from` and returns its credits to the earnings. Earnings pay a
   * debt of the developer, also if the payout is not rejected. The outcome is `same` if the payout
   * was rejected before, and `refused` if it has another status. Null if it does not exist.
   */
  async reject(em: EntityManager, id: number, from: OpenPayoutStatus, note: string): Promise<PayoutDecision | null> {
    const developerId = await developerOf(em, id);
    if (developerId === null) return null;
    await this.ledger.payDebt(await this.wallets.ensureWallet(developerId, 'earnings', em), em);
    const decision = await this.changeStatus(em, id, { from, to: 'rejected', note });
    if (decision?.outcome === 'done') await this.returnCredits(em, decision.payout);
    return decision;
  }

  /**
   * Marks an approved payout as paid, with the reference of the transfer. Only this method does.
   * The outcome is `same` if it was paid with this reference before, and `refused` if it is not
   * approved or was paid with another reference. Null if it does not exist.
   */
  markPaid(em: EntityManager, id: number, reference: string): Promise<PayoutDecision | null> {
    return this.changeStatus(em, id, { from: 'approved', to: 'paid', reference });
  }

  private async changeStatus(
    em: EntityManager,
    id: number,
    { from, to, note = '', reference }: StatusChange,
  ): Promise<PayoutDecision | null> {
    const [moved] = await em.query<[DecidedPayout[], number]>(
      `UPDATE payouts SET status = $3, admin_note = coalesce(nullif($4, ''), admin_note), reference = $5,
         processed_at = CASE WHEN $3 IN ('paid', 'rejected') THEN billing_now() END
       WHERE id = $1 AND status = $2 RETURNING ${DECIDED}`,
      [id, from, to, note, reference ?? null],
    );
    if (moved[0]) return { outcome: 'done', payout: moved[0] };
    const [payout] = await em.query<DecidedPayout[]>(`SELECT ${DECIDED} FROM payouts WHERE id = $1`, [id]);
    if (!payout) return null;
    // Paid with another reference is another decision: the money may have been sent twice.
    const isSame = payout.status === to && (reference ?? payout.reference) === payout.reference;
    return { outcome: isSame ? 'same' : 'refused', payout };
  }

  private async returnCredits(em: EntityManager, { id, developer_id, amount_tokens }: DecidedPayout): Promise<void> {
    const reverses = payoutKey(id);
    const walletId = await this.wallets.ensureWallet(developer_id, 'earnings', em);
    const reversal = {
      key: payoutReturnKey(id),
      reverses,
      ref: reverses,
      amount: Number(amount_tokens),
      kind: 'payout_return',
    } as const;
    const { outcome } = await this.ledger.reverse(walletId, reversal, em);
    // The wallet is open: a user with an open payout cannot be deleted.
    if (outcome !== 'done') throwUnexpectedOutcome(outcome, reversal.key);
    await this.ledger.payDebt(walletId, em);
  }
}

async function developerOf(em: EntityManager, id: number): Promise<string | null> {
  const [payout] = await em.query<Pick<PayoutRow, 'developer_id'>[]>('SELECT developer_id FROM payouts WHERE id = $1', [
    id,
  ]);
  return payout?.developer_id ?? null;
}
