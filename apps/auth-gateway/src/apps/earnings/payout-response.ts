import type { OpenPayoutRow, PayoutRow } from '@platform/billing';
import type { OpenPayoutResponse, OpenPayoutStatus, PayoutResponse } from '@platform/contracts';

/** The account of a payout. */
export interface PayoutAccount {
  /** Account in clear text; null if none was saved or it cannot be read. */
  details: string | null;
  /** Reason why it cannot be read; null if it can. */
  problem: string | null;
}

const CENTS_PER_USD = 100;

/** Formats cents as dollars, like `12.34`, with integer arithmetic to avoid rounding errors. */
const usdOf = (cents: string): string => {
  const rest = Number(cents) % CENTS_PER_USD;
  return `${(Number(cents) - rest) / CENTS_PER_USD}.${String(rest).padStart(2, '0')}`;
};

export const toPayoutResponse = (row: PayoutRow): PayoutResponse => ({
  id: Number(row.id),
  developer_id: row.developer_id,
  amount_tokens: Number(row.amount_tokens),
  amount_usd: usdOf(row.usd_cents),
  status: row.status,
  method: row.method,
  notes: row.notes,
  admin_note: row.admin_note,
  reference: row.reference,
  requested_at: row.requested_at,
  processed_at: row.processed_at,
});

export const toOpenPayoutResponse = (row: OpenPayoutRow, { details, problem }: PayoutAccount): OpenPayoutResponse => ({
  id: Number(row.id),
  developer: row.developer_id,
  nickname: row.nickname,
  email: row.email,
  tokens: Number(row.amount_tokens),
  usd: usdOf(row.usd_cents),
  status: row.status as OpenPayoutStatus,
  method: row.method,
  destination: details,
  destination_problem: problem,
  destination_set_at: row.destination_set_at,
  notes: row.notes,
  admin_note: row.admin_note,
  debt: Number(row.debt),
  disputable_tokens: Number(row.disputable_tokens),
  requested_at: row.requested_at,
});
