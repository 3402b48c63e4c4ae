import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An event whose grant is gone, and which is given to nobody yet, nor dropped, was told to the gateway: then it says when, also where a release before told it,
 * which knows nothing of `posted_at`. Else this release would take it for one that was kept without a grant, and drop it. Creating the trigger
 * waits for the transactions that change events, and is quick then. It changes nothing of the events of before.
 */
export class PostedByAnyRelease1764415000100 implements MigrationInterface {
  name = 'PostedByAnyRelease1764415000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events_note_posted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.posted_at := now();
        RETURN NEW;
      END $$;
      CREATE TRIGGER events_note_posted BEFORE UPDATE OF sealed_grant ON events FOR EACH ROW
        WHEN (OLD.sealed_grant IS NOT NULL AND NEW.sealed_grant IS NULL AND NEW.posted_at IS NULL AND NEW.dropped IS NULL AND NEW.given_at IS NULL)
        EXECUTE FUNCTION events_note_posted()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER events_note_posted ON events; DROP FUNCTION events_note_posted');
  }
}
