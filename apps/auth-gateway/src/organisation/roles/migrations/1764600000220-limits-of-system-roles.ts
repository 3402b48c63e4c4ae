import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * System roles limit calls no more, where nobody has set another limit: the plan of a user does, and the smaller limit counts, so that the old default
 * would stop who pays for more. A role in each tenant changes, so it is safe on a live platform. What it was cannot be told any more.
 */
export class LimitsOfSystemRoles1764600000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE roles SET monthly_action_limit = 0 WHERE is_system AND monthly_action_limit = 500');
  }

  async down(): Promise<void> {}
}
