import { Batcher } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { queryPrepared } from './prepared.js';

const MAX_KEYS = 32;
const STATEMENTS_AT_ONCE = 4;

export interface LookedUpTable {
  table: string;
  /** Columns of a unique key, all of type text. */
  key: readonly string[];
  /** Columns of the result, as a SELECT lists them. */
  columns: string;
}

/**
 * Finds rows by their key, for data that each request needs. Lookups at the same time share one
 * statement. A result is never older than its lookup.
 */
export class RowLookup<Row extends object> {
  private readonly batches = new Batcher((keys: (readonly string[])[]) => this.findAll(keys), {
    maxItems: MAX_KEYS,
    maxRunning: STATEMENTS_AT_ONCE,
  });
  private readonly statement: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly target: LookedUpTable,
  ) {
    const { table, key, columns } = target;
    // The SELECTs hide the number of keys from PostgreSQL. Otherwise it would plan the statement
    // again for each batch.
    this.statement = `SELECT k.at::int - 1 AS at, found.*
      FROM unnest(${key.map((_column, at) => `(SELECT $${at + 1}::text[])`).join(', ')}) WITH ORDINALITY AS k(${key.join(', ')}, at)
      CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} AS t WHERE ${key.map((column) => `t.${column} = k.${column}`).join(' AND ')} LIMIT 1) AS found`;
  }

  /**
   * Finds the row with this key, whose values are in the order of the key's columns. Null if there
   * is no row. A text that PostgreSQL cannot store fails for all lookups of the moment, so it must
   * be refused before.
   */
  findRow(key: readonly string[]): Promise<Row | null> {
    return this.batches.addItem(key);
  }

  private async findAll(keys: (readonly string[])[]): Promise<(Row | null)[]> {
    const columns = this.target.key.map((_column, at) => keys.map((key) => key[at]));
    const found = new Array<Row | null>(keys.length).fill(null);
    for (const { at, ...row } of await queryPrepared<Row & { at: number }>(this.dataSource, this.statement, columns)) {
      found[at] = row as unknown as Row;
    }
    return found;
  }
}
