import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a secret was last read, for those who set it. A column without a default, which takes no time and which code that runs beside need not know of. */
export class SecretAccesses1764419400000 implements MigrationInterface {
  name = 'SecretAccesses1764419400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE secrets ADD COLUMN last_accessed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE secrets DROP COLUMN last_accessed_at');
  }
}
