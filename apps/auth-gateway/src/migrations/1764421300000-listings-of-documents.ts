import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a document says of its app to people, and the listing did not: where to read more, and under which licence it is. Two columns without a
 * default, which take no time and which code that runs beside need not know of. The checks are of new rows; the next migration looks at the
 * old ones, which have neither.
 */
export class ListingsOfDocuments1764421300000 implements MigrationInterface {
  name = 'ListingsOfDocuments1764421300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps ADD COLUMN homepage text, ADD COLUMN license text;
      ALTER TABLE apps ADD CONSTRAINT apps_homepage_check CHECK (homepage ~ '^https://' AND length(homepage) <= 500) NOT VALID,
        ADD CONSTRAINT apps_license_check CHECK (length(license) BETWEEN 1 AND 100) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE apps DROP COLUMN homepage, DROP COLUMN license');
  }
}
