import { Injectable } from '@nestjs/common';
import { numberOrNull, queryPrepared, violatedConstraint } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { A_MOMENT_MS, LOCKED, KeyedBatches } from '../batches/keyed-batches.js';
import { CONTRA_ACCOUNT_OF } from './ledger-entry.entity.js';
import { LOT_PRIORITIES } from './lot.js';
import type {
  ChargedFunction,
  Credit,
  Debit,
  GiveBack,
  Hold,
  MovementResult,
  Outcome,
  Reversal,
  Settlement,
  TakeBack,
} from './movements.js';
import { DEFAULT_SPENDING_LIMITS } from './spending-class.js';
import { WalletErrors } from './wallet.errors.js';

type LedgerFunction = 'ledger_credit' | 'ledger_debit' | 'ledger_hold' | 'ledger_settle' | 'ledger_release' | 'ledger_reverse';

const KEYS = ['ledger_entries_idem_key_key', 'ledger_debts_pkey', 'wallet_holds_pkey'];

/** A movement that commits by itself. */
interface LoneMovement {
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
/** `group` is the number of the group in the statement, `at` that of the movement in its group; both from 1. */
interface MovedRow extends OutcomeRow {
  group: number;
  at: number;
}

/** Of one statement, whose wallets are locked until it ends. */
const MAX_MOVEMENTS = 100;

/**
 * Moves credits. Each movement is one function of the database, which alone decides: it locks the wallet, knows a movement again by its key, and
 * refuses what the wallet does not have. A refusal is a result, not an error.
 *
 * With `em` a movement is a part of the caller's transaction. Without, it commits by itself, and movements of all wallets that come while
 * others are under way go together in one statement. It leaves out wallets that somebody else has locked: their movements wait apart, at most for some
 * seconds, and then fail with 503. Where two wallets come by the same key at the same time, the later one hears `key_reused`; with
 * `em` it throws PostgreSQL's 23505 instead, which ends the transaction, and the caller has to begin it anew.
 *
 * @throws Error for an amount that is not 1 to 10^12, a wallet that there is not, a hold on a wallet of earnings, and a settlement above its hold.
 */
@Injectable()
export class Ledger {
  readonly movements = new KeyedBatches<LoneMovement, MovementResult>({
    keyOf: ({ walletId }) => walletId,
    // Wallets that are missing from the answer are locked by somebody else, or are not there, which `runForKey` tells.
    runBatch: async (movements) => (await this.move(movements, MOVE, A_MOMENT_MS)).map((result) => result ?? LOCKED),
    runForKey: async (movements, waitMs) => {
      const results = await this.move(movements, MOVE_APART, waitMs);
      return movements.map(({ walletId }, at) => results[at] ?? noWallet(walletId));
    },
    lockedError: WalletErrors.locked,
    maxItems: MAX_MOVEMENTS,
  });

  constructor(private readonly dataSource: DataSource) {}

  credit(walletId: string, { source, expiresAt, ...credit }: Credit, em?: EntityManager): Promise<MovementResult> {
    const lot = { source, priority: LOT_PRIORITIES[source], expires_at: expiresAt ?? null };
    return this.add('ledger_credit', walletId, { ...credit, ...lot, counter: CONTRA_ACCOUNT_OF[credit.kind] }, em);
  }

  debit(walletId: string, { charged, ...debit }: Debit, em?: EntityManager): Promise<MovementResult> {
    const item = { ...debit, ...inSql(charged), counter: CONTRA_ACCOUNT_OF[debit.kind] };
    if (debit.shortfall === 'debt') return this.addWithin(em ?? this.dataSource.manager, 'ledger_owe', walletId, item);
    return this.add('ledger_debit', walletId, item, em);
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

  /** Of the wallet of kind `user`. What is held is not taken. */
  async takeBack(walletId: string, takeBack: TakeBack, em: EntityManager): Promise<MovementResult> {
    const result = await this.addWithin(em, 'ledger_take_back', walletId, { ...takeBack, counter: CONTRA_ACCOUNT_OF[takeBack.kind] });
    // It books earnings, and an older debt may be left that they can pay.
    await this.payDebt(walletId, em);
    return result;
  }

  /** All of it, once. `not_reversible` where nothing was taken by that key. */
  async giveBack(walletId: string, giveBack: GiveBack, em: EntityManager): Promise<MovementResult> {
    const lot = { priority: LOT_PRIORITIES.refund, counter: CONTRA_ACCOUNT_OF[giveBack.kind] };
    const result = await this.addWithin(em, 'ledger_give_back', walletId, { ...giveBack, ...lot });
    await this.payDebt(walletId, em);
    return result;
  }

  /**
   * Pays the debt of the wallet's owner with their booked earnings, and locks all of their wallets. A second time moves nothing.
   *
   * @param walletId any wallet of theirs.
   * @returns the debt that is left.
   */
  async payDebt(walletId: string, em: EntityManager): Promise<number> {
    const [{ debt }] = await em.query<[{ debt: string }]>('SELECT ledger_pay_debt($1) AS debt', [walletId]);
    return Number(debt);
  }

  /** Of a user who is erased. What is left goes to the platform; a second time changes nothing. */
  async close(walletId: string, em: EntityManager): Promise<void> {
    await em.query('SELECT ledger_close($1)', [walletId]);
  }

  private add(name: LedgerFunction, walletId: string, item: object, em?: EntityManager): Promise<MovementResult> {
    return em ? this.addWithin(em, name, walletId, item) : this.movements.add({ name, walletId, item });
  }

  /** A debit that may leave a debt, taking back and giving back lock both wallets of a user, so they are never among the movements of a batch. */
  private async addWithin(
    em: EntityManager,
    name: LedgerFunction | 'ledger_owe' | 'ledger_take_back' | 'ledger_give_back',
    walletId: string,
    item: object,
  ): Promise<MovementResult> {
    const [row] = await em.query<[OutcomeRow]>(`SELECT * FROM ${name}($1, $2)`, [walletId, JSON.stringify([item])]);
    return toResult(row);
  }

  /** In the order of the movements. Undefined for those of wallets that the statement did not find. */
  private async move(movements: readonly LoneMovement[], statement: string, waitMs: number): Promise<(MovementResult | undefined)[]> {
    const groups = new Map<string, { name: LedgerFunction; walletId: string; movements: LoneMovement[] }>();
    for (const movement of movements) {
      const { name, walletId } = movement;
      const group = groups.get(`${name} ${walletId}`) ?? { name, walletId, movements: [] };
      groups.set(`${name} ${walletId}`, group);
      group.movements.push(movement);
    }
    const all = [...groups.values()];
    const values = [
      all.map(({ name }) => name),
      all.map(({ walletId }) => walletId),
      all.map((group) => JSON.stringify(group.movements.map(({ item }) => item))),
      String(waitMs),
    ];
    const query = () => queryPrepared<MovedRow>(this.dataSource, statement, values);
    const rows = await query().catch((error: unknown) => {
      // Another wallet came by the same key at the same time. Now that is there, and the statement says so.
      if (KEYS.includes(violatedConstraint(error) ?? '')) return query();
      throw error;
    });
    const results = new Map<LoneMovement, MovementResult>();
    for (const { group, at, ...row } of rows) {
      const movement = all[group - 1]?.movements[at - 1];
      if (!movement) throw new Error(`The ledger answered for a movement that it was not asked for: ${at} of group ${group}.`);
      results.set(movement, toResult(row));
    }
    return movements.map((movement) => results.get(movement));
  }
}

/**
 * Locks the wallets in the order of their ids, then makes the movements. Movements of one wallet and one kind are one call of `ledger_move`, in the order in
 * which they came; calls are in the order of the first movement of each.
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
  FROM (
    SELECT a.at, a.name, a.items, locked.id
    FROM unnest((SELECT $1::text[]), (SELECT $2::bigint[]), (SELECT $3::jsonb[])) WITH ORDINALITY AS a (name, wallet_id, items, at)
      JOIN locked ON locked.id = a.wallet_id
    ORDER BY a.at
  ) AS a CROSS JOIN LATERAL ledger_move(a.name, a.id, a.items) WITH ORDINALITY AS m (outcome, seq, amount, balance_after, available, share, at)`;

/** It waits for no wallet, and only for `A_MOMENT_MS` for a key that another transaction is just inserting. */
const MOVE = moveWith('SKIP LOCKED');
/** Of one wallet. Waits for its lock. */
const MOVE_APART = moveWith('');

function noWallet(id: string): never {
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
