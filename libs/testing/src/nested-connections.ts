import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (em: EntityManager) => Promise<unknown>;

interface Transaction {
  /** Error created at the start of the transaction. Its stack is formatted only if it is read. */
  begun: Error;
  isOpen: boolean;
}

/**
 * Finds transactions that request a second connection from the pool while they hold one. If as
 * many of them run at once as the pool has connections, all of them and all other requests wait
 * until a timeout. Transactions of a spec itself are allowed to do this.
 */
export class NestedConnections {
  /** Stacks of the transactions at the time of the second request. */
  private readonly found = new Set<string>();
  private readonly transaction = new AsyncLocalStorage<Transaction>();

  static watch(dataSource: DataSource): NestedConnections {
    const watching = new NestedConnections();
    watching.wrapTransactions(dataSource.manager);
    watching.wrapPool((dataSource.driver as unknown as { master: Pool }).master);
    return watching;
  }

  /**
   * Checks that no transaction has requested a second connection since `watch`.
   *
   * @throws Error with the stack of the first such transaction
   */
  expectNone(): void {
    const [first] = this.found;
    if (first !== undefined)
      throw new Error(`${this.found.size} transactions wait for a second connection. The first one:\n${first}`);
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
      // The pool calls a waiting caller back when another caller releases a connection. Bind the
      // callback, so that its statement belongs to the waiting caller.
      return connect(...given.map((one) => (typeof one === 'function' ? AsyncResource.bind(one as () => void) : one)));
    }) as typeof pool.connect;
  }
}

/** Creates an Error with a stack that is long enough to contain the caller. */
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

/** Stack lines of our own code, without this file, innermost call first. */
const ownLines = ({ stack = '' }: Error): string[] =>
  stack.split('\n').filter((line) => /(apps|libs)\//.test(line) && !line.includes('nested-connections.ts'));
