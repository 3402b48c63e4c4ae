import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From now on `allowed_auth_methods` counts, so the database knows what may stand in it, and keeps the platform's own tenant from losing the
 * way in of its administrators. It may have lost it while the setting did nothing. Checks on a table of few rows: safe beside running code.
 */
export class AuthMethods1763900000400 implements MigrationInterface {
  name = 'AuthMethods1763900000400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE tenants SET allowed_auth_methods = array_prepend('email', allowed_auth_methods) WHERE id = 'default' AND 'email' <> ALL (allowed_auth_methods);
      ALTER TABLE tenants
        ADD CONSTRAINT tenants_auth_methods_check CHECK (allowed_auth_methods <@ '{email,api_key}' AND allowed_auth_methods <> '{}'),
        ADD CONSTRAINT tenants_default_auth_methods_check CHECK (id <> 'default' OR 'email' = ANY (allowed_auth_methods));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tenants DROP CONSTRAINT tenants_auth_methods_check, DROP CONSTRAINT tenants_default_auth_methods_check',
    );
  }
}
