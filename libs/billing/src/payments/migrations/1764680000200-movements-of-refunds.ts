import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refunds and disputes say how many credits are taken for them now, and how many movements took them. The release before does not count movements: stop its gateways
 * and workers first, and do not start them afterwards. One table after the other, each in a transaction of its own. Run again after a failure it goes on.
 */
export class MovementsOfRefunds1764680000200 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, kind] of TABLES) {
      // PostgreSQL runs the statements of one text in one transaction. A second run leaves counted rows alone.
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS movements integer NOT NULL DEFAULT 0 CONSTRAINT ${table}_movements_check CHECK (movements >= 0);
        UPDATE ${table} t SET movements = 1, credits = t.credits - back.credits, debt = t.debt - back.debt
        FROM (
          SELECT o.id, coalesce(sum(e.amount), 0) AS credits, coalesce(sum(e.amount) FILTER (WHERE e.idem_key LIKE '%:debt'), 0) AS debt
          FROM ${table} o LEFT JOIN ledger_entries e
            ON e.idem_key IN ('${kind}:' || o.id || ':returned', '${kind}:' || o.id || ':returned:earnings', '${kind}:' || o.id || ':returned:debt')
          WHERE o.credits > 0 AND o.movements = 0 GROUP BY o.id
        ) AS back WHERE back.id = t.id`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN IF EXISTS movements`);
  }
}

const TABLES = [
  ['payment_refunds', 'refund'],
  ['payment_disputes', 'dispute'],
] as const;
