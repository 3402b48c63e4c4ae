import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the owner of an app pushed with an API key is held apart from what the platform did: it is not served. What is there from before counts
 * as the platform's. Safe on a live table: a column with a constant default is added at once.
 */
export class ManifestsOfOwners1764503000200 implements MigrationInterface {
  name = 'ManifestsOfOwners1764503000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE manifests ADD COLUMN is_owners boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE manifests DROP COLUMN is_owners');
  }
}
