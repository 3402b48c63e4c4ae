import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an API key asked for and a person confirms, or what a rule does that a key has made, goes no further than the key. Adds columns
 * without values, so it is safe beside running code; a confirmation of before, which waits for minutes, counts as a person's.
 */
export class NarrowedByKeys1764403000300 implements MigrationInterface {
  name = 'NarrowedByKeys1764403000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE confirmations ADD COLUMN api_key_id text, ADD COLUMN scopes text[],
        ADD CONSTRAINT confirmations_narrowed_check CHECK (api_key_id IS NULL OR scopes IS NOT NULL);
      ALTER TABLE automation_rules ADD COLUMN api_key_id text, ADD COLUMN key_scopes text[];
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_rules DROP COLUMN api_key_id, DROP COLUMN key_scopes;
      ALTER TABLE confirmations DROP COLUMN api_key_id, DROP COLUMN scopes;
    `);
  }
}
