import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The check of `FewHosts1764540000100` for the rows of before. It reads them all once, while they are read and written. */
export class FewHostsChecked1764540000110 implements MigrationInterface {
  name = 'FewHostsChecked1764540000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_versions VALIDATE CONSTRAINT app_versions_hosts_check');
  }

  async down(): Promise<void> {}
}
