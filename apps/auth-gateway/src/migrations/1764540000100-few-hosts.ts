import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The list of hosts of a version travels with what is told of it: deploys, reviews, the audit log, what runs. So it has an end, which documents are held to
 * as well. A check of new rows: it waits for the transactions that change versions and is quick then. The migration after this one looks at the old rows.
 */
export class FewHosts1764540000100 implements MigrationInterface {
  name = 'FewHosts1764540000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_versions ADD CONSTRAINT app_versions_hosts_check CHECK (cardinality(hosts) <= 50) NOT VALID');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_versions DROP CONSTRAINT app_versions_hosts_check');
  }
}
