import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * With the default statistics the planner takes a word that twenty of a hundred thousand apps have for one of five hundred, and reads all
 * of them in the order asked for instead of the few that the index finds. Reads a sample of `app_search`, some seconds at most, and is safe
 * beside running code.
 */
export class StatisticsOfSearchWords1764000004100 implements MigrationInterface {
  name = 'StatisticsOfSearchWords1764000004100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${setStatistics('1000')}; ANALYZE app_search`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(setStatistics('-1'));
  }
}

const setStatistics = (target: string): string =>
  `ALTER TABLE app_search ${['name_words', 'summary_words', 'words'].map((column) => `ALTER ${column} SET STATISTICS ${target}`).join(', ')}`;
