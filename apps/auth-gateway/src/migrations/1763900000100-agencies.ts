import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Agencies, and users who belong to one. Creates a table, and a foreign key that is checked for new rows only, so it is safe beside
 * running code, which has written no `users.agency_id` so far; should a row have one nevertheless, it gets the agency that it names.
 */
export class Agencies1763900000100 implements MigrationInterface {
  name = 'Agencies1763900000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agencies (
        tenant_id text NOT NULL CONSTRAINT agencies_tenant_fkey REFERENCES tenants,
        agency_id text NOT NULL CONSTRAINT agencies_agency_id_check
          CHECK (agency_id ~ '^[a-z0-9][a-z0-9_-]{2,49}$' AND agency_id <> 'default'),
        display_name text NOT NULL,
        domain text CONSTRAINT agencies_domain_key UNIQUE CONSTRAINT agencies_domain_check CHECK (domain = lower(domain)),
        settings jsonb NOT NULL DEFAULT '{}' CONSTRAINT agencies_settings_size_check CHECK (octet_length(settings::text) <= 65536),
        theme jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT agencies_pkey PRIMARY KEY (tenant_id, agency_id)
      );
      CREATE INDEX agencies_created_idx ON agencies (tenant_id, created_at, agency_id);
      INSERT INTO agencies (tenant_id, agency_id, display_name)
        SELECT DISTINCT tenant_id, agency_id, agency_id FROM users WHERE agency_id IS NOT NULL;
      ALTER TABLE users ADD CONSTRAINT users_agency_fkey
        FOREIGN KEY (tenant_id, agency_id) REFERENCES agencies (tenant_id, agency_id) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP CONSTRAINT users_agency_fkey; DROP TABLE agencies');
  }
}
