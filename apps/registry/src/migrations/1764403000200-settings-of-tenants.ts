import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tenants write their own layer of an app's settings now, so that each has room of its own and takes none of the developer's or of
 * another tenant's. No limit is lower than before, but for a single tenant's layer: what is larger than that stays until it is changed
 * next, so nothing is read here. Locks the table for a moment.
 */
export class SettingsOfTenants1764403000200 implements MigrationInterface {
  name = 'SettingsOfTenants1764403000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION settings_fit(settings jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT octet_length((settings #- '{layers,tenants}')::text) <= 65536 AND octet_length(settings::text) <= 1048576
          AND NOT EXISTS (
            SELECT FROM jsonb_each(CASE WHEN jsonb_typeof(settings #> '{layers,tenants}') = 'object' THEN settings #> '{layers,tenants}' ELSE '{}' END)
            WHERE octet_length(value::text) > 16384)
      $$;
      ALTER TABLE apps DROP CONSTRAINT apps_settings_size_check;
      ALTER TABLE apps ADD CONSTRAINT apps_settings_size_check CHECK (settings_fit(settings)) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps DROP CONSTRAINT apps_settings_size_check;
      DROP FUNCTION settings_fit(jsonb);
      ALTER TABLE apps ADD CONSTRAINT apps_settings_size_check CHECK (octet_length(settings::text) <= 65536) NOT VALID;
    `);
  }
}
