import { columns, type Row } from '@platform/persistence';
import { createHash } from 'node:crypto';
import { LedgerEntry } from '../ledger/ledger-entry.entity.js';

/** All that an entry has, as texts that no setting of a session changes. */
const TEXTS = columns(
  LedgerEntry,
  [
    'walletId',
    'seq',
    'prevSeq',
    'kind',
    'counter',
    'amount',
    'balanceBefore',
    'balanceAfter',
    'idemKey',
    'appId',
    'function',
    'priceVersion',
    'developerId',
    'earnedBase',
    'share',
    'reversesSeq',
    'ref',
    'description',
  ],
  'e',
);

/** For a SELECT from `ledger_entries e`. */
export const HASHED_ENTRY = `${TEXTS}, e.lots::text AS lots, (extract(epoch FROM e.at) * 1000000)::bigint AS at,
  (extract(epoch FROM e.recorded_at) * 1000000)::bigint AS recorded_at`;

type Hashed = Omit<Row<LedgerEntry>, 'lots' | 'at' | 'recorded_at'>;

/** As `HASHED_ENTRY` selects it. */
export interface HashedEntry extends Hashed {
  lots: string;
  /** Microseconds since 1970. */
  at: string;
  recorded_at: string;
}

const FORM = 1;

/** SHA-256 of all that an entry has. */
export const hashOfEntry = (e: HashedEntry): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        FORM,
        e.wallet_id,
        e.seq,
        e.prev_seq,
        e.kind,
        e.counter,
        e.amount,
        e.balance_before,
        e.balance_after,
        e.lots,
        e.idem_key,
        e.app_id,
        e.function,
        e.price_version,
        e.developer_id,
        e.earned_base,
        e.share,
        e.reverses_seq,
        e.ref,
        e.description,
        e.at,
        e.recorded_at,
      ]),
    )
    .digest();

const MARK_BYTES = 8;

/** What names an entry of a seal that was changed. */
export const markOf = (hash: Buffer): Buffer => hash.subarray(0, MARK_BYTES);

/** The marks of a seal, in the order of its entries. */
export const marksIn = (marks: Buffer): Buffer[] =>
  Array.from({ length: marks.length / MARK_BYTES }, (_none, at) => marks.subarray(at * MARK_BYTES, (at + 1) * MARK_BYTES));

/** The hash of a seal, of the seal before (empty for the first) and of the entries since. */
export const hashOfSeal = (before: Buffer, entries: readonly Buffer[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([before, ...entries]))
    .digest();
