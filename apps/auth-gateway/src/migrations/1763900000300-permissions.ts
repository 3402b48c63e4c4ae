import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scopes as data, denials with their history, what roles set, and what lists of users need. Adds tables and columns with constant
 * defaults. The indexes on `users` are built in place: they hold back writes to it for some seconds per million users.
 */
export class Permissions1763900000300 implements MigrationInterface {
  name = 'Permissions1763900000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE roles
        ADD COLUMN default_attributes jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN default_extensions text[] NOT NULL DEFAULT '{}',
        ADD COLUMN confirmation_policy text NOT NULL DEFAULT 'default_off'
          CONSTRAINT roles_confirmation_policy_check CHECK (confirmation_policy IN ('enforced', 'default_on', 'default_off', 'disabled')),
        ADD COLUMN max_concurrent_tasks integer NOT NULL DEFAULT 3
          CONSTRAINT roles_max_concurrent_tasks_check CHECK (max_concurrent_tasks BETWEEN 1 AND 50),
        ADD COLUMN monthly_action_limit integer NOT NULL DEFAULT 500
          CONSTRAINT roles_monthly_action_limit_check CHECK (monthly_action_limit >= 0),
        ADD COLUMN context_window integer NOT NULL DEFAULT 20
          CONSTRAINT roles_context_window_check CHECK (context_window BETWEEN 5 AND 200);

      ALTER TABLE users
        ADD COLUMN denied_scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN erased_at timestamptz;

      CREATE TABLE scopes (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id text CONSTRAINT scopes_tenant_fkey REFERENCES tenants,
        name text NOT NULL,
        resource text NOT NULL,
        action text NOT NULL,
        display_name text NOT NULL,
        description text NOT NULL DEFAULT '',
        source text NOT NULL,
        source_id text,
        is_system boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX scopes_tenant_name_key ON scopes (coalesce(tenant_id, ''), name);

      CREATE TABLE scope_denials (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT scope_denials_tenant_fkey REFERENCES tenants,
        user_id text NOT NULL CONSTRAINT scope_denials_user_fkey REFERENCES users ON DELETE CASCADE,
        scope text NOT NULL,
        reason text,
        denied_by text NOT NULL,
        denied_at timestamptz NOT NULL DEFAULT now(),
        lifted_by text,
        lifted_at timestamptz,
        CONSTRAINT scope_denials_lifted_check CHECK ((lifted_by IS NULL) = (lifted_at IS NULL))
      );
      CREATE UNIQUE INDEX scope_denials_live_key ON scope_denials (user_id, scope) WHERE lifted_at IS NULL;
      CREATE INDEX scope_denials_user_idx ON scope_denials (user_id, denied_at);

      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      SET LOCAL search_path TO gateway, public;
      CREATE INDEX users_search_idx ON users
        USING gin (lower(' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);
      -- A search takes this index or the one in the order of the list, by how many it is expected to find; the usual 100 buckets expect 1 % of all.
      ALTER INDEX users_search_idx ALTER COLUMN 1 SET STATISTICS 1000;
      CREATE INDEX users_list_idx ON users (tenant_id, created_at, id) WHERE erased_at IS NULL;
      CREATE INDEX users_active_idx ON users (tenant_id, is_active, created_at, id) WHERE erased_at IS NULL;
      CREATE INDEX users_role_idx ON users (tenant_id, role, created_at, id);
      CREATE INDEX users_scopes_idx ON users USING gin (scopes) WHERE scopes <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_active_idx, users_scopes_idx, users_role_idx, users_list_idx, users_search_idx;
      DROP TABLE scope_denials, scopes;
      ALTER TABLE users DROP COLUMN denied_scopes, DROP COLUMN erased_at;
      ALTER TABLE roles DROP COLUMN default_attributes, DROP COLUMN default_extensions, DROP COLUMN confirmation_policy,
        DROP COLUMN max_concurrent_tasks, DROP COLUMN monthly_action_limit, DROP COLUMN context_window;
    `);
  }
}
