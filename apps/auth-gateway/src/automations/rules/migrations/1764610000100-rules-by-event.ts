import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An event fires the rules of a user in the order of their ids, some by each job: with the id in the index a job reads its own alone. Safe on a live
 * table: the index is built beside what is written, and it replaces one that was of its first two columns.
 */
export class RulesByEvent1764610000100 implements MigrationInterface {
  name = 'RulesByEvent1764610000100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_rules_event_idx');
    await runner.query('CREATE INDEX CONCURRENTLY automation_rules_event_idx ON automation_rules (user_id, event_type, id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_rules_user_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY automation_rules_user_idx ON automation_rules (user_id, event_type)');
    await runner.query('DROP INDEX CONCURRENTLY automation_rules_event_idx');
  }
}
