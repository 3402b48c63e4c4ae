import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks of `ListingsOfDocuments1764421300000`, for the rows of before. It locks nothing that reads or writes them. */
export class ListingsOfDocumentsChecked1764421300010 implements MigrationInterface {
  name = 'ListingsOfDocumentsChecked1764421300010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps VALIDATE CONSTRAINT apps_homepage_check;
      ALTER TABLE apps VALIDATE CONSTRAINT apps_license_check`);
  }

  async down(): Promise<void> {}
}
