import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One name for what a version asks for: `members` are `capabilities`. No release has read or written the old name.
 *
 * `capabilities_of` is the content (`sha256`) of which the gateway said them. Null, which every row begins with: it has not said anything, since it
 * is older, or nobody has asked since. A process of the release before, which changes the content of a row and knows of neither column, leaves
 * what was said of other content, which does not count.
 *
 * Safe on a live table: a column without a default.
 */
export class CapabilitiesOfVersions1764580000100 implements MigrationInterface {
  name = 'CapabilitiesOfVersions1764580000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployed_apps RENAME COLUMN members TO capabilities;
      ALTER TABLE deployed_apps ADD COLUMN capabilities_of text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployed_apps DROP COLUMN capabilities_of;
      ALTER TABLE deployed_apps RENAME COLUMN capabilities TO members;
    `);
  }
}
