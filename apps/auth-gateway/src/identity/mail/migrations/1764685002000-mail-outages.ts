import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table of the outage of the mail server. A new table only, so it is safe beside running code. */
export class MailOutages1764685002000 implements MigrationInterface {
  name = 'MailOutages1764685002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_outages (
        is_one boolean DEFAULT true CONSTRAINT mail_outages_pkey PRIMARY KEY CONSTRAINT mail_outages_one_check CHECK (is_one),
        since timestamptz NOT NULL DEFAULT now(),
        told_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_outages');
  }
}
