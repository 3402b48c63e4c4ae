import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an app asks for, and what a user granted it by installing it: columns, and the triggers that keep them for whatever is written from
 * now on, also by a process of the release before. No row is read or written: columns with a constant default rewrite no table, and the
 * constraint is checked for new rows only. `1764403000010` fills in what there is, `1764403000020` checks all of it.
 */
export class InstallationGrants1764403000000 implements MigrationInterface {
  name = 'InstallationGrants1764403000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of the functions the scopes that they require, of the document those of its capabilities that name a scope and no part of the runtime.
      -- Never everything: '*' is how a function says that it requires nothing in particular.
      CREATE FUNCTION scopes_requested_by(manifest jsonb, document jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}') FROM (
          SELECT regexp_replace(value #>> '{}', '[.]', ':') AS scope
          FROM jsonb_path_query(manifest, '$.tools[*].required_scopes[*] ? (@.type() == "string")') AS value
          UNION ALL
          SELECT regexp_replace(value #>> '{}', '[.]', ':')
          FROM jsonb_path_query(document, '$.app.capabilities[*] ? (@.type() == "string")') AS value
          WHERE value #>> '{}' !~ '^(store|cache|config|secret|secrets|http|call|ai|notify|emit|log|crypto|transform|control|ui)[:.]'
        ) AS requested WHERE scope ~ '^[a-z0-9_-]{1,64}:([a-z0-9_-]{1,64}|[*])$'
      $$;
      CREATE FUNCTION app_versions_request_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.requested_scopes := scopes_requested_by(NEW.manifest, NEW.document);
        IF cardinality(NEW.requested_scopes) > 200 THEN
          RAISE EXCEPTION 'A version may ask for 200 scopes at most.'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_requested_scopes_check';
        END IF;
        RETURN NEW;
      END
      $$;
      ALTER TABLE app_versions ADD COLUMN requested_scopes text[] NOT NULL DEFAULT '{}';
      CREATE TRIGGER app_versions_request_scopes BEFORE INSERT OR UPDATE OF manifest, document ON app_versions
        FOR EACH ROW EXECUTE FUNCTION app_versions_request_scopes();

      ALTER TABLE installs
        ADD COLUMN granted_scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN asked_version text;
      ALTER TABLE installs
        ADD CONSTRAINT installs_granted_scopes_check CHECK (NOT granted_scopes && '{*}' AND (removed_at IS NULL OR granted_scopes = '{}')) NOT VALID;
      -- Whoever removes an app, or gets it anew, has granted it nothing: also where a process of the release before writes that.
      CREATE FUNCTION installs_end_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.granted_scopes := '{}';
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER installs_end_grant BEFORE UPDATE OF installed_at, removed_at ON installs
        FOR EACH ROW WHEN (NEW.removed_at IS NOT NULL OR NEW.installed_at <> OLD.installed_at) EXECUTE FUNCTION installs_end_grant();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER installs_end_grant ON installs;
      DROP FUNCTION installs_end_grant;
      ALTER TABLE installs DROP COLUMN granted_scopes, DROP COLUMN asked_version;
      DROP TRIGGER app_versions_request_scopes ON app_versions;
      ALTER TABLE app_versions DROP COLUMN requested_scopes;
      DROP FUNCTION app_versions_request_scopes, scopes_requested_by(jsonb, jsonb);
    `);
  }
}
