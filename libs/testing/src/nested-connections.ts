import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (em: EntityManager) => Promise<unknown>;

/**
 * Finds transactions that ask the pool for a second connection while they hold one. When as many of them come at once as the pool has connections, all wait for each
 * other, and with them every other request, until their time is over.
 */
export class NestedConnections {
  /** Where the transaction is now, by its stack. */
  private readonly found = new Set<string>();
  private readonly transaction = new AsyncLocalStorage<{ isOpen: boolean }>();

  static watch(dataSource: DataSource): NestedConnections {
    const watching = new NestedConnections();
    watching.wrapTransactions(dataSource.manager);
    watching.wrapPool((dataSource.driver as unknown as { master: Pool }).master);
    return watching;
  }

  /** @throws Error that says where the first one was. */
  expectNone(): void {
    const [first] = this.found;
    if (first !== undefined) throw new Error(`${this.found.size} transactions wait for a second connection. The first one:\n${first}`);
  }

  private wrapTransactions(manager: EntityManager): void {
    const transaction = manager.transaction.bind(manager) as (...given: unknown[]) => Promise<unknown>;
    const wrapped = (given: unknown) =>
      typeof given === 'function' ? (em: EntityManager) => this.within(() => (given as Work)(em)) : given;
    manager.transaction = ((...given: unknown[]) => transaction(...given.map(wrapped))) as typeof manager.transaction;
  }

  private async within(work: () => Promise<unknown>): Promise<unknown> {
    const store = { isOpen: true };
    try {
      return await this.transaction.run(store, work);
    } finally {
      store.isOpen = false;
    }
  }

  /** A spec may look at what a transaction of its own has not committed yet. */
  private note(stack: readonly string[]): void {
    const asker = stack.find((line) => !line.includes('libs/persistence/'));
    if (asker === undefined || !asker.includes('.spec.ts')) this.found.add(stack.join('\n'));
  }

  private wrapPool(pool: Pool): void {
    const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
    pool.connect = ((...given: unknown[]) => {
      if (this.transaction.getStore()?.isOpen) this.note(ownStack());
      return connect(...given);
    }) as typeof pool.connect;
  }
}

/** The calls of our own code alone, the innermost first. */
function ownStack(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const lines = (new Error().stack ?? '').split('\n');
  Error.stackTraceLimit = limit;
  return lines.filter((line) => /(apps|libs)\//.test(line) && !line.includes('nested-connections.ts'));
}
