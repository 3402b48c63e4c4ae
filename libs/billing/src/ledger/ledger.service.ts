import { Injectable } from '@nestjs/common';
import { numberOrNull, queryPrepared, violatedConstraint } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { INSERT_WAIT_MS, LOCKED, KeyedBatches } from '../batches/keyed-batches.js';
import { CONTRA_ACCOUNT_OF } from './ledger-booking.entity.js';
import { LOT_PRIORITIES } from './lot.js';
import type {
  ChargedFunction,
  Credit,
  Debit,
  ClawbackReversal,
  Reservation,
  MovementResult,
  Outcome,
  Reversal,
  Capture,
  Clawback,
} from './movements.js';
import { DEFAULT_SPENDING_LIMITS } from './spending-class.js';
import { WalletErrors } from './wallet.errors.js';

type LedgerFunction =
  'ledger_credit' | 'ledger_debit' | 'ledger_hold' | 'ledger_settle' | 'ledger_release' | 'ledger_reverse';

const KEYS = ['ledger_entries_idem_key_key', 'ledger_debts_pkey', 'wallet_holds_pkey'];

/** A movement outside a transaction of the caller. It commits by itself. */
interface SingleMovement {
  name: LedgerFunction;
  walletId: string;
  item: object;
}

/** Row of the SQL type `ledger_outcome`, as pg returns it. */
interface OutcomeRow {
  outcome: Outcome;
  seq: string | null;
  amount: string | null;
  balance_after: string | null;
  available: string;
  share: string | null;
}
/**
 * `group` is the number of the group in the statement, `at` the number of the movement in its
 * group. Both start at 1.
 */
interface MovementRow extends OutcomeRow {
  group: number;
  at: number;
}

/** Movements in one statement. Their wallets are locked until the statement ends. */
const MAX_MOVEMENTS = 100;

/**
 * Moves credits. Each movement is one call of a database function. The function locks the wallet,
 * recognizes a repeated movement by its key, and refuses a movement that the wallet cannot pay. A
 * refusal is a result, not an error.
 *
 * With `em` a movement is part of the caller's transaction. Without `em` it commits by itself.
 * Movements of all wallets that arrive while a statement runs share the next statement. The
 * statement skips wallets that another transaction has locked. Their movements wait apart from the
 * others for up to 5 seconds and then fail with AppError 503 `unavailable`. Nothing has moved then,
 * and a retry with the same key is safe. A debit with `shortfall: 'debt'` shares no statement and
 * waits for the lock as long as the database allows.
 *
 * If two wallets use the same key at the same time, the later movement gets `key_reused`. With
 * `em`, or for a debit with `shortfall`, it throws PostgreSQL's 23505 instead. That error aborts
 * the transaction, and the caller must run the transaction again.
 *
 * @throws Error for an amount that is not 1 to 10^12, an unknown wallet, a reservation on a wallet
 * of the kind `earnings`, and a capture above its reservation.
 */
@Injectable()
export class LedgerService {
  readonly movements = new KeyedBatches<SingleMovement, MovementResult>({
    keyOf: ({ walletId }) => walletId,
    // A wallet that is missing from the answer is locked by another transaction or does not exist.
    // `runForKey` finds out which.
    runBatch: async (movements) =>
      (await this.executeBatch(movements, MOVE, INSERT_WAIT_MS)).map((result) => result ?? LOCKED),
    runForKey: async (movements, waitMs) => {
      const results = await this.executeBatch(movements, MOVE_ONE_WALLET, waitMs);
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
    const item = { ...debit, ...toSqlFields(charged), counter: CONTRA_ACCOUNT_OF[debit.kind] };
    if (debit.shortfall === 'debt')
      return this.executeMovement(em ?? this.dataSource.manager, 'ledger_owe', walletId, item);
    return this.add('ledger_debit', walletId, item, em);
  }

  reserve(
    walletId: string,
    { spendingClass, paidBy, ...hold }: Reservation,
    em?: EntityManager,
  ): Promise<MovementResult> {
    const limit = spendingClass && {
      spending_class: spendingClass,
      default_limit: DEFAULT_SPENDING_LIMITS[spendingClass],
    };
    return this.add(
      'ledger_hold',
      walletId,
      { ...hold, ...(paidBy !== undefined && { paid_by: paidBy }), ...limit },
      em,
    );
  }

  capture(
    walletId: string,
    { reservationId: holdId, charged, ...settlement }: Capture,
    em?: EntityManager,
  ): Promise<MovementResult> {
    return this.add(
      'ledger_settle',
      walletId,
      { ...settlement, id: holdId, ...toSqlFields(charged), counter: CONTRA_ACCOUNT_OF[settlement.kind] },
      em,
    );
  }

  release(walletId: string, holdId: string, em?: EntityManager): Promise<MovementResult> {
    return this.add('ledger_release', walletId, { id: holdId }, em);
  }

  reverse(walletId: string, reversal: Reversal, em?: EntityManager): Promise<MovementResult> {
    return this.add('ledger_reverse', walletId, reversal, em);
  }

  /**
   * Claws back `amount` credits after a refund or a dispute of the payment that bought them: from
   * the wallet, credits of `source` first and then others, then from the user's earnings. The rest
   * becomes a debt, and earnings pay an older one. Reserved credits stay reserved. Returns `closed`
   * for a closed wallet, `replayed` if the same clawback was made before, and `key_reused` if
   * another movement has the key.
   *
   * @throws Error if the wallet is not of the kind `user`.
   */
  async clawBack(walletId: string, takeBack: Clawback, em: EntityManager): Promise<MovementResult> {
    const result = await this.executeMovement(em, 'ledger_take_back', walletId, {
      ...takeBack,
      counter: CONTRA_ACCOUNT_OF[takeBack.kind],
    });
    // The clawback books shares first, so the earnings can now pay an older debt.
    await this.payDebt(walletId, em);
    return result;
  }

  /**
   * Undoes a clawback completely: the credits return to the wallet and the earnings, and those that
   * became a debt return as credits, which pay a debt first. A second call moves nothing and
   * returns `replayed`. Returns `not_reversible` if no clawback of this user has that key and kind,
   * and `closed` for a closed wallet.
   */
  async reverseClawback(walletId: string, giveBack: ClawbackReversal, em: EntityManager): Promise<MovementResult> {
    const lot = { priority: LOT_PRIORITIES.refund, counter: CONTRA_ACCOUNT_OF[giveBack.kind] };
    const result = await this.executeMovement(em, 'ledger_give_back', walletId, { ...giveBack, ...lot });
    await this.payDebt(walletId, em);
    return result;
  }

  /**
   * Pays the debt of the wallet's owner with their booked earnings. Locks all wallets of the owner
   * until the transaction ends. Safe to repeat.
   *
   * @param walletId any wallet of the owner.
   * @returns the debt that is left; 0 without a debt.
   */
  async payDebt(walletId: string, em: EntityManager): Promise<number> {
    const [{ debt }] = await em.query<[{ debt: string }]>('SELECT ledger_pay_debt($1) AS debt', [walletId]);
    return Number(debt);
  }

  /**
   * Closes a wallet during account deletion. The remaining credits that are not reserved become the
   * platform's. A second call changes nothing.
   */
  async closeWallet(walletId: string, em: EntityManager): Promise<void> {
    await em.query('SELECT ledger_close($1)', [walletId]);
  }

  private add(name: LedgerFunction, walletId: string, item: object, em?: EntityManager): Promise<MovementResult> {
    return em ? this.executeMovement(em, name, walletId, item) : this.movements.add({ name, walletId, item });
  }

  /**
   * Makes one movement in a statement of its own. Debits that can leave a debt, clawbacks and their
   * reversals lock both wallets of a user, so they are never part of a batch.
   */
  private async executeMovement(
    em: EntityManager,
    name: LedgerFunction | 'ledger_owe' | 'ledger_take_back' | 'ledger_give_back',
    walletId: string,
    item: object,
  ): Promise<MovementResult> {
    const [row] = await em.query<[OutcomeRow]>(`SELECT * FROM ${name}($1, $2)`, [walletId, JSON.stringify([item])]);
    return toResult(row);
  }

  /**
   * Makes all movements with one `statement`, and runs it once more if another wallet used a key at
   * the same time. Returns the results in the order of `movements`: undefined for a wallet that
   * does not exist, or that `MOVE` skipped because it is locked.
   *
   * @param waitMs longest wait for a lock: with `MOVE` of a key, with `MOVE_ONE_WALLET` also of the
   * wallet.
   * @throws the error of PostgreSQL, `lock_not_available` (55P03) if a lock lasted longer; nothing
   * has moved then.
   */
  private async executeBatch(
    movements: readonly SingleMovement[],
    statement: string,
    waitMs: number,
  ): Promise<(MovementResult | undefined)[]> {
    const groups = new Map<string, { name: LedgerFunction; walletId: string; movements: SingleMovement[] }>();
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
    const query = () => queryPrepared<MovementRow>(this.dataSource, statement, values);
    const rows = await query().catch((error: unknown) => {
      // Another wallet used the key at the same time. The key is visible now, so the second try
      // returns `key_reused`.
      if (KEYS.includes(violatedConstraint(error) ?? '')) return query();
      throw error;
    });
    const results = new Map<SingleMovement, MovementResult>();
    for (const { group, at, ...row } of rows) {
      const movement = all[group - 1]?.movements[at - 1];
      if (!movement) throw new Error(`The ledger returned a result for an unknown movement: ${at} of group ${group}.`);
      results.set(movement, toResult(row));
    }
    return movements.map((movement) => results.get(movement));
  }
}

/**
 * Builds the statement that locks the wallets in the order of their ids, then makes the movements.
 * Movements with the same wallet and kind are one call of `ledger_move`, in the order of their
 * arrival. The calls follow the order of their first movement.
 *
 * `(SELECT $1)` hides the length of the arrays from the planner, so that one plan serves all
 * batches. The setting is local to the transaction, which is this one statement.
 *
 * @param lock `SKIP LOCKED` to leave out locked wallets; empty to wait for them.
 */
const buildMoveStatement = (lock: string): string => `
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

/**
 * Skips locked wallets. Waits up to `INSERT_WAIT_MS` for a key that another transaction is
 * inserting.
 */
const MOVE = buildMoveStatement('SKIP LOCKED');
/** For the movements of one wallet. Waits for the lock of the wallet. */
const MOVE_ONE_WALLET = buildMoveStatement('');

function noWallet(id: string): never {
  throw new Error(`there is no wallet ${id}`);
}

/**
 * Fields of the charged function, under the names that the database functions read; no fields if
 * the movement charges no function.
 */
const toSqlFields = (charged: ChargedFunction | undefined): object =>
  charged
    ? {
        app_id: charged.appId,
        function: charged.function,
        price_version: charged.priceVersion,
        base: charged.base,
        ...(charged.developer && { developer_id: charged.developer.id, split: charged.developer.split }),
      }
    : {};

/** Converts a row. Numbers are exact: the database keeps balances below 2^53. */
const toResult = ({ outcome, seq, amount, balance_after, available, share }: OutcomeRow): MovementResult => ({
  outcome,
  seq: numberOrNull(seq),
  amount: numberOrNull(amount),
  balanceAfter: numberOrNull(balance_after),
  available: Number(available),
  share: numberOrNull(share),
});
