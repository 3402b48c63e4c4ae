import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of rules: those of a user by age, and who of a tenant has any. The second one read the rules of all tenants. Safe on a live table: the index is built
 * beside what is written.
 */
export class RulesByOwner1764681000200 implements MigrationInterface {
  name = 'RulesByOwner1764681000200';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_rules_owner_idx');
    await runner.query('CREATE INDEX CONCURRENTLY automation_rules_owner_idx ON automation_rules (tenant_id, user_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY automation_rules_owner_idx');
  }
}
