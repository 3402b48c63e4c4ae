import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All API keys that led to what an automation does, not one of them alone: it ends with each. A column without a default, which takes no time.
 * The release that runs beside knows nothing of it: what it has a person or another key take over keeps the keys of before, which count only
 * where a key wrote it, and then end it earlier than they must.
 */
export class KeysOfRules1764415000020 implements MigrationInterface {
  name = 'KeysOfRules1764415000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_rules ADD COLUMN other_key_ids text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_rules DROP COLUMN other_key_ids');
  }
}
