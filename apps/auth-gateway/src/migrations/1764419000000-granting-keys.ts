import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which API keys granted what an installation grants, so that it ends with them. No row is read or written: columns without a default
 * rewrite no table. Nobody knows of what was granted before, which counts as granted in person. What a process of the release before writes
 * meanwhile stays right: the removal of an app ends what is said of keys here, too.
 */
export class GrantingKeys1764419000000 implements MigrationInterface {
  name = 'GrantingKeys1764419000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installs ADD COLUMN granted_by jsonb, ADD COLUMN granted_in_person text[];
      CREATE OR REPLACE FUNCTION installs_end_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.granted_scopes := '{}';
        NEW.granted_in_person := NULL;
        IF NEW.removed_at IS NOT NULL THEN
          NEW.granted_by := NULL;
        END IF;
        RETURN NEW;
      END
      $$;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION installs_end_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.granted_scopes := '{}';
        RETURN NEW;
      END
      $$;
      ALTER TABLE installs DROP COLUMN granted_by, DROP COLUMN granted_in_person;`);
  }
}
