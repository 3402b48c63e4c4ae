import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A search is planned for its very words, and each time the planner unpacks what is known of ten thousand words in each of three columns:
 * of what a search took among a hundred thousand apps, that was more than half. Three thousand words are enough to tell a rare one from a
 * frequent one. Reads a sample of `app_search`, some seconds at most, and is safe beside running code.
 */
export class FewerStatisticsOfSearchWords1764351000000 implements MigrationInterface {
  name = 'FewerStatisticsOfSearchWords1764351000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${setStatistics(300)}; ANALYZE app_search`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${setStatistics(1000)}; ANALYZE app_search`);
  }
}

const setStatistics = (target: number): string =>
  `ALTER TABLE app_search ${['name_words', 'summary_words', 'words'].map((column) => `ALTER ${column} SET STATISTICS ${target}`).join(', ')}`;
