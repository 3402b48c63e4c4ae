import { Batches } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { queryPrepared } from './prepared.js';

const MAX_KEYS = 32;
const STATEMENTS_AT_ONCE = 4;

export interface LookedUpTable {
  table: string;
  /** Of a unique key, all of them text. */
  key: readonly string[];
  /** What a row has, as a SELECT names it. */
  columns: string;
}

/**
 * Finds rows by their key for what each request needs: those that are asked for at the same time come with one statement. What is found is
 * never older than the question.
 */
export class RowLookup<Row extends object> {
  private readonly batches = new Batches((keys: (readonly string[])[]) => this.findAll(keys), {
    maxItems: MAX_KEYS,
    maxRunning: STATEMENTS_AT_ONCE,
  });
  private readonly statement: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly target: LookedUpTable,
  ) {
    const { table, key, columns } = target;
    // Behind the SELECTs PostgreSQL does not see how many keys there are, and would else plan the statement anew for each batch.
    this.statement = `SELECT k.at::int - 1 AS at, found.*
      FROM unnest(${key.map((_column, at) => `(SELECT $${at + 1}::text[])`).join(', ')}) WITH ORDINALITY AS k(${key.join(', ')}, at)
      CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} AS t WHERE ${key.map((column) => `t.${column} = k.${column}`).join(' AND ')} LIMIT 1) AS found`;
  }

  /** Null when there is none. A text that PostgreSQL cannot hold fails for all that ask at the moment, so it must be refused before. */
  find(key: readonly string[]): Promise<Row | null> {
    return this.batches.add(key);
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
