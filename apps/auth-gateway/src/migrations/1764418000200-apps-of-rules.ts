import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All apps that led to what an automation does, not the one alone that wrote it: it ends with each. A column without a default, which takes no
 * time. The release that runs beside knows nothing of it: what it has a person or another app take over keeps the apps of before, and then ends
 * earlier than it must, until somebody says again what it does.
 */
export class AppsOfRules1764418000200 implements MigrationInterface {
  name = 'AppsOfRules1764418000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_rules ADD COLUMN other_apps text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_rules DROP COLUMN other_apps');
  }
}
