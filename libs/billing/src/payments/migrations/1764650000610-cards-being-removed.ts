import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which cards a request is removing. The default is constant, so the column is there without a look at any row. */
export class CardsBeingRemoved1764650000610 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_methods ADD COLUMN removing_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_methods DROP COLUMN removing_at');
  }
}
