import { Injectable } from '@nestjs/common';
import { numberOrNull, queryPrepared, violatedConstraint } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { A_MOMENT_MS, HELD, KeyedBatches } from '../batches/keyed-batches.js';
import { CONTRA_ACCOUNT_OF } from './ledger-entry.entity.js';
import { LOT_PRIORITIES } from './lot.js';
import type { ChargedFunction, Credit, Debit, Hold, MovementResult, Outcome, Reversal, Settlement } from './movements.js';
import { DEFAULT_SPENDING_LIMITS } from './spending-class.js';
import { WalletErrors } from './wallet.errors.js';

type LedgerFunction = 'ledger_credit' | 'ledger_debit' | 'ledger_hold' | 'ledger_settle' | 'ledger_release' | 'ledger_reverse';

const KEYS = ['ledger_entries_idem_key_key', 'ledger_debts_pkey', 'wallet_holds_pkey'];

/** A movement that is a part of nothing else. */
interface Move {
  name: LedgerFunction;
  walletId: string;
  item: object;
}

/** Of `ledger_outcome`, as pg returns it. */
interface OutcomeRow {
  outcome: Outcome;
  seq: string | null;
  amount: string | null;
  balance_after: string | null;
  available: string;
  share: string | null;
}
/** Of the movement at this place of those that a group makes, and of the groups of a statement. */
interface MovedRow extends OutcomeRow {
  group: number;
  at: number;
}

/** Of one statement, whose wallets are locked until it ends. */
const MAX_MOVES = 100;

/**
 * Moves credits. Each movement is one function of the database, which alone decides: it locks the wallet, knows a movement again by its key, and
 * refuses what the wallet does not have. A refusal is a result, not an error.
 *
 * With `em` a movement is a part of the caller's transaction. Without, it commits by itself, and movements of all wallets that come while
 * others are under way go together in one statement. It leaves out wallets that somebody else has locked: their movements wait apart, at most for some
 * seconds, and then fail with 503. Where two wallets come by the same key at the same time, the later one hears `key_reused`; with
 * `em` it throws PostgreSQL's 23505 instead, which ends the transaction, and the caller has to begin it anew.
 */
@Injectable()
export class Ledger {
  private readonly moves = new KeyedBatches<Move, MovementResult>({
    keyOf: ({ walletId }) => walletId,
    // Wallets that are missing from the answer are locked by somebody else, or are not there, which `runForKey` tells.
    runBatch: async (moves) => (await this.move(moves, MOVE, A_MOMENT_MS)).map((result) => result ?? HELD),
    runForKey: async (moves, waitMs) => {
      const results = await this.move(moves, MOVE_APART, waitMs);
      return results.map((result, at) => result ?? noWallet(moves[at]?.walletId));
    },
    heldError: WalletErrors.held,
    maxItems: MAX_MOVES,
  });

  constructor(private readonly dataSource: DataSource) {}

  credit(walletId: string, { source, expiresAt, ...credit }: Credit, em?: EntityManager): Promise<MovementResult> {
    const lot = { source, priority: LOT_PRIORITIES[source], expires_at: expiresAt ?? null };
    return this.add('ledger_credit', walletId, { ...credit, ...lot, counter: CONTRA_ACCOUNT_OF[credit.kind] }, em);
  }

  debit(walletId: string, { charged, ...debit }: Debit, em?: EntityManager): Promise<MovementResult> {
    return this.add('ledger_debit', walletId, { ...debit, ...inSql(charged), counter: CONTRA_ACCOUNT_OF[debit.kind] }, em);
  }

  hold(walletId: string, { spendingClass, paidBy, ...hold }: Hold, em?: EntityManager): Promise<MovementResult> {
    const limit = spendingClass && { spending_class: spendingClass, default_limit: DEFAULT_SPENDING_LIMITS[spendingClass] };
    return this.add('ledger_hold', walletId, { ...hold, ...(paidBy !== undefined && { paid_by: paidBy }), ...limit }, em);
  }

  settle(walletId: string, { holdId, charged, ...settlement }: Settlement, em?: EntityManager): Promise<MovementResult> {
    return this.add(
      'ledger_settle',
      walletId,
      { ...settlement, id: holdId, ...inSql(charged), counter: CONTRA_ACCOUNT_OF[settlement.kind] },
      em,
    );
  }

  release(walletId: string, holdId: string, em?: EntityManager): Promise<MovementResult> {
    return this.add('ledger_release', walletId, { id: holdId }, em);
  }

  reverse(walletId: string, reversal: Reversal, em?: EntityManager): Promise<MovementResult> {
    return this.add('ledger_reverse', walletId, reversal, em);
  }

  /** Of a user who is erased. What is left goes to the platform; a second time changes nothing. */
  async close(walletId: string, em: EntityManager): Promise<void> {
    await em.query('SELECT ledger_close($1)', [walletId]);
  }

  private async add(name: LedgerFunction, walletId: string, item: object, em?: EntityManager): Promise<MovementResult> {
    if (!em) return this.moves.add({ name, walletId, item });
    const [row] = await em.query<[OutcomeRow]>(`SELECT * FROM ${name}($1, $2)`, [walletId, JSON.stringify([item])]);
    return toResult(row);
  }

  /** In the order of the movements. Undefined for those of wallets that the statement did not find. */
  private async move(moves: readonly Move[], statement: string, waitMs: number): Promise<(MovementResult | undefined)[]> {
    const groups = new Map<string, Move[]>();
    for (const move of moves) {
      const key = `${move.name} ${move.walletId}`;
      const group = groups.get(key);
      if (group) group.push(move);
      else groups.set(key, [move]);
    }
    const all = [...groups.values()];
    const firsts = all.flatMap(([first]) => first ?? []);
    const values = [
      firsts.map(({ name }) => name),
      firsts.map(({ walletId }) => walletId),
      all.map((group) => JSON.stringify(group.map(({ item }) => item))),
      String(waitMs),
    ];
    const query = () => queryPrepared<MovedRow>(this.dataSource, statement, values);
    const rows = await query().catch((error: unknown) => {
      // Another wallet came by the same key at the same time. Now that is there, and the statement says so.
      if (KEYS.includes(violatedConstraint(error) ?? '')) return query();
      throw error;
    });
    const results = new Map<Move | undefined, MovementResult>();
    for (const { group, at, ...row } of rows) results.set(all[group - 1]?.[at - 1], toResult(row));
    return moves.map((move) => results.get(move));
  }
}

/**
 * Locks the wallets in the order of their ids, then makes the movements of each: groups of one wallet and one kind, in the order in which they come. It
 * waits for no wallet that somebody else has locked, so that transactions that lock several do not wait for each other in a circle.
 *
 * `(SELECT $1)` hides the length of the arrays from the planner, so that one plan serves all batches. The setting is local to the transaction, which is
 * this one statement.
 */
const moveWith = (lock: string): string => `
  WITH setting AS MATERIALIZED (SELECT set_config('lock_timeout', $4, true)),
  locked AS MATERIALIZED (
    SELECT w.id FROM setting, wallets w WHERE w.id = ANY ((SELECT $2::bigint[])::bigint[]) ORDER BY w.id FOR NO KEY UPDATE OF w ${lock}
  )
  SELECT a.at::int AS "group", m.at::int, m.outcome, m.seq, m.amount, m.balance_after, m.available, m.share
  FROM unnest((SELECT $1::text[]), (SELECT $2::bigint[]), (SELECT $3::jsonb[])) WITH ORDINALITY AS a (name, wallet_id, items, at)
    JOIN locked ON locked.id = a.wallet_id
    CROSS JOIN LATERAL ledger_move(a.name, locked.id, a.items)
      WITH ORDINALITY AS m (outcome, seq, amount, balance_after, available, share, at)`;

const MOVE = moveWith('SKIP LOCKED');
/** Of one wallet. */
const MOVE_APART = moveWith('');

function noWallet(id: string | undefined): never {
  throw new Error(`there is no wallet ${id}`);
}

/** As the functions of the database read it. */
const inSql = (charged: ChargedFunction | undefined): object =>
  charged
    ? {
        app_id: charged.appId,
        function: charged.function,
        price_version: charged.priceVersion,
        base: charged.base,
        ...(charged.developer && { developer_id: charged.developer.id, split: charged.developer.split }),
      }
    : {};

/** The database keeps balances below 2^53. */
const toResult = ({ outcome, seq, amount, balance_after, available, share }: OutcomeRow): MovementResult => ({
  outcome,
  seq: numberOrNull(seq),
  amount: numberOrNull(amount),
  balanceAfter: numberOrNull(balance_after),
  available: Number(available),
  share: numberOrNull(share),
});
