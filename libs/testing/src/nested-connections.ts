import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (em: EntityManager) => Promise<unknown>;

interface Transaction {
  /** Where it began. Its stack is made into text only where somebody reads it. */
  begun: Error;
  isOpen: boolean;
}

/**
 * Finds transactions that ask the pool for a second connection while they hold one. When as many of them come at once as the pool has connections, all wait for each
 * other, and with them every other request, until their time is over. A transaction of a spec itself may do so.
 */
export class NestedConnections {
  /** Where the transaction was then, by its stack. */
  private readonly found = new Set<string>();
  private readonly transaction = new AsyncLocalStorage<Transaction>();

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
    manager.transaction = (...given: unknown[]) => {
      const begun = deepError();
      const wrapped = (one: unknown) =>
        typeof one === 'function' ? (em: EntityManager) => this.within(begun, () => (one as Work)(em)) : one;
      return transaction(...given.map(wrapped));
    };
  }

  private async within(begun: Error, work: () => Promise<unknown>): Promise<unknown> {
    const transaction = { begun, isOpen: true };
    try {
      return await this.transaction.run(transaction, work);
    } finally {
      transaction.isOpen = false;
    }
  }

  private wrapPool(pool: Pool): void {
    const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
    pool.connect = ((...given: unknown[]) => {
      const transaction = this.transaction.getStore();
      if (transaction?.isOpen && !isOfSpec(transaction.begun)) this.found.add(ownLines(deepError()).join('\n'));
      // The pool calls back who waits for a connection while another gives one back. Its statement belongs to who waited, not to that other one.
      return connect(...given.map((one) => (typeof one === 'function' ? AsyncResource.bind(one as () => void) : one)));
    }) as typeof pool.connect;
  }
}

/** With calls enough to see who asked for it. */
function deepError(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const error = new Error();
  Error.stackTraceLimit = limit;
  return error;
}

const isOfSpec = (begun: Error): boolean =>
  ownLines(begun)
    .find((line) => !line.includes('libs/persistence/'))
    ?.includes('.spec.ts') ?? false;

/** The calls of our own code alone, the innermost first. */
const ownLines = ({ stack = '' }: Error): string[] =>
  stack.split('\n').filter((line) => /(apps|libs)\//.test(line) && !line.includes('nested-connections.ts'));
