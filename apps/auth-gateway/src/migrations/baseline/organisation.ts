import type { SchemaPart } from '@platform/persistence';

/** Scopes, and denials of them. */
export const organisationPart: SchemaPart = {
  tables: `
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
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT scopes_name_check CHECK (name = resource || ':' || action AND name ~
      '^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}$')
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
  CREATE INDEX scope_denials_user_idx ON scope_denials (user_id, denied_at);`,
  functions: [
    `
  CREATE FUNCTION scopes_of_own_resource() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM scopes WHERE is_system AND resource = NEW.resource) THEN
      RAISE EXCEPTION 'The resource % is the platform''s.', NEW.resource
        USING ERRCODE = 'check_violation', CONSTRAINT = 'scopes_own_resource_check';
    END IF;
    RETURN NEW;
  END
  $$`,
  ],
  triggers: `
  CREATE TRIGGER scopes_of_own_resource BEFORE INSERT OR UPDATE OF resource, is_system ON scopes FOR EACH ROW WHEN
    (NOT NEW.is_system) EXECUTE FUNCTION scopes_of_own_resource();`,
};
