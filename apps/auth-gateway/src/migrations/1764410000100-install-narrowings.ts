import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the API key reaches that is changing an install at the Registry. A new table, of which code that runs beside need not know. */
export class InstallNarrowings1764410000100 implements MigrationInterface {
  name = 'InstallNarrowings1764410000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE install_narrowings (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT install_narrowings_tenant_fkey REFERENCES tenants,
        user_id text NOT NULL CONSTRAINT install_narrowings_user_fkey REFERENCES users ON DELETE CASCADE,
        app_id text NOT NULL,
        narrowing jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX install_narrowings_install_idx ON install_narrowings (user_id, app_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE install_narrowings');
  }
}
