import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../kernel/peers/registry/registry-client.js';
import { InstallCopies, stateOf } from './install-copies.js';

const MOST_PAGES = 100;

/** Keeps the copy of installs true to the Registry: what came from elsewhere, and what was lost on the way here. */
@Injectable()
export class InstallFeed {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopies,
  ) {}

  /** Takes over all changes since the last time, or as many as one run should. Several processes may do so at once. */
  async copyChanges(): Promise<void> {
    for (let page = 0; page < MOST_PAGES; page++) {
      const [{ revision }] = await this.dataSource.query<[{ revision: string }]>('SELECT revision FROM install_feed');
      const { changes, next_after, has_more } = await this.registry.installChanges(Number(revision));
      await this.copies.copy(changes.map(stateOf), async (em) => {
        await em.query('UPDATE install_feed SET revision = $1 WHERE revision < $1', [next_after]);
      });
      if (!has_more) return;
    }
  }
}
