import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whom an app was suspended by, so that its developer does not undo what the platform decided. A column with a constant default, which takes
 * no time and which code that runs beside need not know of. What is suspended now, and was so by a status that was set, is the platform's.
 * The host follows the column too.
 */
export class StoppedByPlatform1764413000300 implements MigrationInterface {
  name = 'StoppedByPlatform1764413000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps ADD COLUMN stopped_by_platform boolean NOT NULL DEFAULT false;
      CREATE TRIGGER apps_note_stopped AFTER UPDATE OF stopped_by_platform ON apps FOR EACH ROW
        WHEN (OLD.stopped_by_platform <> NEW.stopped_by_platform AND NEW.served_version IS NOT NULL) EXECUTE FUNCTION note_app_runtime_change();
      UPDATE apps a SET stopped_by_platform = true WHERE status = 'suspended' AND 'app.status_set' = (
        SELECT e.action FROM audit_entries e WHERE e.target_id = a.app_id AND e.target_type = 'app' AND e.action IN ('app.suspended', 'app.status_set')
        ORDER BY e.created_at DESC, e.id DESC LIMIT 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER apps_note_stopped ON apps; ALTER TABLE apps DROP COLUMN stopped_by_platform');
  }
}
