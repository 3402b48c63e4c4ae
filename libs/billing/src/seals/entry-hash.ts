import type { Row } from '@platform/persistence';
import { createHash } from 'node:crypto';
import type { LedgerBooking } from '../ledger/ledger-booking.entity.js';

/** All columns of an entry, in the order in which they are hashed. */
export const HASHED_COLUMNS = [
  'wallet_id',
  'seq',
  'prev_seq',
  'kind',
  'counter',
  'amount',
  'balance_before',
  'balance_after',
  'lots',
  'idem_key',
  'app_id',
  'function',
  'price_version',
  'developer_id',
  'earned_base',
  'share',
  'reverses_seq',
  'ref',
  'description',
  'at',
  'recorded_at',
] as const satisfies readonly (keyof Row<LedgerBooking>)[];

const microseconds = (column: string): string => `(extract(epoch FROM e.${column}) * 1000000)::bigint AS ${column}`;

/** SQL for the columns that are not text, in a form that does not depend on session settings. */
const AS_TEXT: Partial<Record<string, string>> = {
  lots: 'e.lots::text AS lots',
  at: microseconds('at'),
  recorded_at: microseconds('recorded_at'),
};

/** Columns for a SELECT from `ledger_entries e`. */
export const HASHED_ENTRY_SQL = HASHED_COLUMNS.map((column) => AS_TEXT[column] ?? `e.${column}`).join(', ');

type Hashed = Omit<Row<LedgerBooking>, 'lots' | 'at' | 'recorded_at'>;

/** Entry as `HASHED_ENTRY_SQL` selects it. */
export interface HashedEntry extends Hashed {
  lots: string;
  /** Microseconds since 1970. */
  at: string;
  recorded_at: string;
}

const FORM = 1;

/** SHA-256 of all columns of an entry. */
export const hashEntry = (e: HashedEntry): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([FORM, ...HASHED_COLUMNS.map((column) => e[column])]))
    .digest();

const MARK_BYTES = 8;

/**
 * Mark of an entry: the first 8 bytes of its hash. A seal stores the marks of its entries, which
 * show later which entry was changed.
 */
export const getEntryMark = (hash: Buffer): Buffer => hash.subarray(0, MARK_BYTES);

/** Splits the stored marks of a seal into one mark for each entry, in the order of the entries. */
export const splitMarks = (marks: Buffer): Buffer[] =>
  Array.from({ length: marks.length / MARK_BYTES }, (_none, at) =>
    marks.subarray(at * MARK_BYTES, (at + 1) * MARK_BYTES),
  );

/**
 * Hash of a wallet's seal, computed from the hash of the wallet's previous seal (empty for the
 * first) and the hashes of the entries since then.
 */
export const hashSeal = (before: Buffer, entries: readonly Buffer[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([before, ...entries]))
    .digest();
