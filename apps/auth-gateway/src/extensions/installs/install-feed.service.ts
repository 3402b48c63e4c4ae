import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { InstallCopiesService, toInstallState } from './install-copies.service.js';

const MOST_PAGES = 100;

/**
 * Keeps the copy of installations equal to the Registry: copies changes that were made directly
 * there, and changes that were lost.
 */
@Injectable()
export class InstallFeedService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopiesService,
  ) {}

  /**
   * Copies the changes at the Registry since the last run, up to 100 pages per run. Several
   * processes can do this at the same time.
   *
   * @throws ServiceUnavailable if the Registry gives no valid answer.
   */
  async copyChanges(): Promise<void> {
    for (let page = 0; page < MOST_PAGES; page++) {
      const [{ revision }] = await this.dataSource.query<[{ revision: string }]>('SELECT revision FROM install_feed');
      const { changes, next_after, has_more } = await this.registry.listInstallChanges(Number(revision));
      await this.copies.copyStates(changes.map(toInstallState), async (em) => {
        await em.query('UPDATE install_feed SET revision = $1 WHERE revision < $1', [next_after]);
      });
      if (!has_more) return;
    }
  }
}
