import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which app wrote what an automation does, so that it calls no more than the app may, and ends with it. A column without a default, which
 * takes no time and which code that runs beside need not know of.
 *
 * Of the rules of before nobody knows whether an app wrote them. To write one, an app needed `automations:write`, or `extensions:write`, and
 * never had `*`. So rules which call something, which no API key made, and whose writer held the first and not the last, are paused, and say
 * why: whoever resumes one in person makes it theirs. Rules of people without such scopes, and of those with all, go on. One statement; it
 * locks the rows that it pauses.
 */
export class RulesOfApps1764412000000 implements MigrationInterface {
  name = 'RulesOfApps1764412000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_rules ADD COLUMN made_by_app text;
      UPDATE automation_rules SET status = 'paused', next_at = NULL,
        last_error = 'Paused by an update of the platform, since an app may have made it. Look at what it does, and resume it if you want that.'
      WHERE status = 'active' AND api_key_id IS NULL AND jsonb_path_exists(actions, '$[*].app_id') AND NOT scopes && '{*}'
        AND scopes && '{automations:*,automations.*,automations:write,automations.write,extensions:*,extensions.*,extensions:write,extensions.write}'`);
  }

  /** What was paused stays so. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_rules DROP COLUMN made_by_app');
  }
}
