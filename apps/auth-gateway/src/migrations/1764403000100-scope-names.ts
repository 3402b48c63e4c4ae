import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A registered scope could be called `*` or `users:*`, or like a scope of the platform, and so got round a denial. From now on its name is
 * `resource:action` of its own, which the database sees to. The older spelling with a dot is respelled; a name of another kind loses its
 * row, which the audit log tells. What roles, users and keys hold is left as it is: a row only says what can be granted. The table is
 * small, and locked for a moment.
 */
export class ScopeNames1764403000100 implements MigrationInterface {
  name = 'ScopeNames1764403000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE scopes IN SHARE ROW EXCLUSIVE MODE;
      UPDATE scopes s SET name = regexp_replace(name, '[.]', ':')
        WHERE NOT is_system AND name = resource || '.' || action AND NOT EXISTS (SELECT FROM scopes o
          WHERE coalesce(o.tenant_id, '') = coalesce(s.tenant_id, '') AND o.name = s.resource || ':' || s.action);
      WITH removed AS (
        DELETE FROM scopes s WHERE NOT is_system AND (
          name <> resource || ':' || action OR name !~ '^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}$'
          OR EXISTS (SELECT FROM scopes o WHERE o.is_system AND o.resource = s.resource))
        RETURNING *)
      INSERT INTO audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, before_state, metadata)
        SELECT 'aud_' || md5('1764403000100 ' || id), coalesce(tenant_id, 'default'), 'system', 'platform', 'scope.deleted', 'scope', id::text,
          jsonb_build_object('name', name, 'resource', resource, 'action', action),
          jsonb_build_object('reason', 'The name is not that of one action of a resource of its own.')
        FROM removed;
      ALTER TABLE scopes ADD CONSTRAINT scopes_name_check
        CHECK (name = resource || ':' || action AND name ~ '^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}$');
      CREATE FUNCTION scopes_of_own_resource() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM scopes WHERE is_system AND resource = NEW.resource) THEN
          RAISE EXCEPTION 'The resource % is the platform''s.', NEW.resource
            USING ERRCODE = 'check_violation', CONSTRAINT = 'scopes_own_resource_check';
        END IF;
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER scopes_of_own_resource BEFORE INSERT OR UPDATE OF resource, is_system ON scopes
        FOR EACH ROW WHEN (NOT NEW.is_system) EXECUTE FUNCTION scopes_of_own_resource();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER scopes_of_own_resource ON scopes;
      DROP FUNCTION scopes_of_own_resource;
      ALTER TABLE scopes DROP CONSTRAINT scopes_name_check;
    `);
  }
}
