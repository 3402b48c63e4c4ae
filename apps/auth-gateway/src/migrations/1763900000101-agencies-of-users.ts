import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Checks the foreign key from users to agencies for the rows that were there before it. A migration of its own, since reading all of
 * `users` in the transaction that adds the key would keep everybody from writing to it for so long; this lock lets them write.
 */
export class AgenciesOfUsers1763900000101 implements MigrationInterface {
  name = 'AgenciesOfUsers1763900000101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users VALIDATE CONSTRAINT users_agency_fkey');
  }

  down(): Promise<void> {
    return Promise.resolve(); // a valid key may stay
  }
}
