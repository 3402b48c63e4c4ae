import { Batches } from '@platform/platform';

const MAX_ITEMS = 100;

type Settled<Result> = PromiseSettledResult<Result>;

interface Queue<Item, Result> {
  batches: Batches<Item, Settled<Result>>;
  waiting: number;
}

/**
 * Movements of one wallet, of one kind, in batches: a wallet has one row, which only one transaction at a time can change, so what comes
 * meanwhile makes the next statement. Wallets do not wait for each other.
 */
export class WalletBatches<Name extends string, Item, Result> {
  private readonly queues = new Map<string, Queue<Item, Result>>();

  /** @param run one statement, with a result for each item. */
  constructor(private readonly run: (name: Name, walletId: string, items: readonly Item[]) => Promise<readonly Result[]>) {}

  async add(name: Name, walletId: string, item: Item): Promise<Result> {
    const key = `${name} ${walletId}`;
    const queue = this.queues.get(key) ?? {
      batches: new Batches((items: Item[]) => this.runAll(name, walletId, items), { maxItems: MAX_ITEMS }),
      waiting: 0,
    };
    this.queues.set(key, queue);
    queue.waiting++;
    try {
      const settled = await queue.batches.add(item);
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value;
    } finally {
      if (--queue.waiting === 0) this.queues.delete(key);
    }
  }

  /** When a batch fails, each of its movements is tried alone, so that one that cannot be made does not fail the others. */
  private async runAll(name: Name, walletId: string, items: readonly Item[]): Promise<Settled<Result>[]> {
    if (items.length > 1) {
      const [all] = await Promise.allSettled([this.run(name, walletId, items)]);
      if (all.status === 'fulfilled') return all.value.map((value) => ({ status: 'fulfilled', value }));
    }
    const settled: Settled<Result>[] = [];
    for (const item of items) {
      const [one] = await Promise.allSettled([this.runOne(name, walletId, item)]);
      settled.push(one);
    }
    return settled;
  }

  private async runOne(name: Name, walletId: string, item: Item): Promise<Result> {
    const [result] = await this.run(name, walletId, [item]);
    if (result === undefined) throw new Error(`${name} returned nothing.`);
    return result;
  }
}
