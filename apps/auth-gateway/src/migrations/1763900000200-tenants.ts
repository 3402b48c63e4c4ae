import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tenants are made of beside their name. Adds columns with constant defaults and checks to a table of few rows, so it is safe beside
 * running code.
 */
export class Tenants1763900000200 implements MigrationInterface {
  name = 'Tenants1763900000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants
        ADD COLUMN db_backend text NOT NULL DEFAULT 'postgresql'
          CONSTRAINT tenants_db_backend_check CHECK (db_backend IN ('mariadb', 'postgresql')),
        ADD COLUMN isolation text NOT NULL DEFAULT 'shared' CONSTRAINT tenants_isolation_check CHECK (isolation IN ('shared', 'dedicated')),
        ADD COLUMN allowed_auth_methods text[] NOT NULL DEFAULT '{email,api_key}',
        ADD COLUMN max_connections integer NOT NULL DEFAULT 10
          CONSTRAINT tenants_max_connections_check CHECK (max_connections BETWEEN 1 AND 500),
        ADD COLUMN features jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN parent_tenant_id text CONSTRAINT tenants_parent_fkey REFERENCES tenants,
        ADD COLUMN can_resell boolean NOT NULL DEFAULT false,
        ADD COLUMN custom_pricing jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN ui_config jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN sealed_db_config text,
        ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
        ADD CONSTRAINT tenants_parent_check CHECK (parent_tenant_id <> id),
        ADD CONSTRAINT tenants_default_check CHECK (id <> 'default' OR is_active);
      CREATE INDEX tenants_parent_idx ON tenants (parent_tenant_id, id);

      -- With this no circle of parents can ever close: a parent is there before its child.
      CREATE FUNCTION tenants_keep_parent() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The parent of a tenant cannot be changed.' USING ERRCODE = 'integrity_constraint_violation';
      END
      $$;
      CREATE TRIGGER tenants_keep_parent BEFORE UPDATE ON tenants FOR EACH ROW
        WHEN (OLD.parent_tenant_id IS DISTINCT FROM NEW.parent_tenant_id) EXECUTE FUNCTION tenants_keep_parent();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tenants_keep_parent ON tenants;
      DROP FUNCTION tenants_keep_parent();
      ALTER TABLE tenants DROP CONSTRAINT tenants_default_check, DROP COLUMN db_backend, DROP COLUMN isolation,
        DROP COLUMN allowed_auth_methods, DROP COLUMN max_connections, DROP COLUMN features, DROP COLUMN parent_tenant_id,
        DROP COLUMN can_resell, DROP COLUMN custom_pricing, DROP COLUMN ui_config, DROP COLUMN sealed_db_config, DROP COLUMN updated_at;
    `);
  }
}
