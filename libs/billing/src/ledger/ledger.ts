import { Injectable } from '@nestjs/common';
import { numberOrNull, queryPrepared, violatedConstraint } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { CONTRA_ACCOUNT_OF } from './ledger-entry.entity.js';
import { LOT_PRIORITIES } from './lot.js';
import type { ChargedFunction, Credit, Debit, Hold, MovementResult, Outcome, Reversal, Settlement } from './movements.js';
import { DEFAULT_SPENDING_LIMITS } from './spending-class.js';
import { WalletBatches } from './wallet-batches.js';

type LedgerFunction = 'ledger_credit' | 'ledger_debit' | 'ledger_hold' | 'ledger_settle' | 'ledger_release' | 'ledger_reverse';

const KEYS = ['ledger_entries_idem_key_key', 'ledger_debts_pkey', 'wallet_holds_pkey'];

/** Of `ledger_outcome`, as pg returns it. */
interface OutcomeRow {
  outcome: Outcome;
  seq: string | null;
  amount: string | null;
  balance_after: string | null;
  available: string;
  share: string | null;
}

/**
 * Moves credits. Each movement is one function of the database, which alone decides: it locks the wallet, knows a movement again by its key, and
 * refuses what the wallet does not have. A refusal is a result, not an error.
 *
 * With `em` a movement is a part of the caller's transaction. Without, it commits by itself, and movements of one wallet that come while
 * another is under way go together in one statement. Where two wallets come by the same key at the same time, the later one hears `key_reused`; with
 * `em` it throws PostgreSQL's 23505 instead, which ends the transaction, and the caller has to begin it anew.
 */
@Injectable()
export class Ledger {
  private readonly batches = new WalletBatches<LedgerFunction, object, MovementResult>((name, walletId, items) =>
    this.move(name, walletId, items),
  );

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
    if (!em) return this.batches.add(name, walletId, item);
    const [row] = await em.query<[OutcomeRow]>(`SELECT * FROM ${name}($1, $2)`, [walletId, JSON.stringify([item])]);
    return toResult(row);
  }

  private async move(name: LedgerFunction, walletId: string, items: readonly object[]): Promise<MovementResult[]> {
    const statement = () => queryPrepared<OutcomeRow>(this.dataSource, `SELECT * FROM ${name}($1, $2)`, [walletId, JSON.stringify(items)]);
    const rows = await statement().catch((error: unknown) => {
      // Another wallet came by the same key at the same time. Now that is there, and the statement says so.
      if (KEYS.includes(violatedConstraint(error) ?? '')) return statement();
      throw error;
    });
    return rows.map(toResult);
  }
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
