import { Injectable } from '@nestjs/common';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';

type WalletEventJobs = { tell: Record<string, never> };

/** The next run repeats failed work. */
const walletEventQueue: QueueDefinition<WalletEventJobs> = {
  name: 'wallet-events',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

const EVERY_MS = 5_000;
/** Longer than the transaction of a movement can take. */
const OVERLAP_SECONDS = 30;
/**
 * Longest time that a run looks back: at the first run of a process, and after a pause. Covers
 * movements while no worker ran.
 */
const MAX_LOOK_BACK_SECONDS = 600;
const READ_AT_ONCE = 1_000;
/** Small, because the transaction locks each of these users against account deletion. */
const PUBLISHED_AT_ONCE = 50;
/**
 * Wallets for which this process remembers the last published entry. If it forgets one, the event
 * is published again with the same id, which changes nothing.
 */
const REMEMBERED = 20_000;

interface ChangedWallet {
  event_id: string;
  user_id: string;
  tenant_id: string;
  wallet_id: string;
  seq: string;
  balance: string;
}

/**
 * Publishes `wallet.changed` with the latest balance of each changed wallet. It does not publish
 * every movement, because a wallet can have thousands of calls.
 */
@Injectable()
export class WalletEventsWorker {
  private readonly told = new LRUCache<string, string>(maxEntries(REMEMBERED));
  /** In `performance.now()` time; 0 before the first run. */
  private lastLookAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(walletEventQueue, { tell: () => this.publishWalletChanges() });
    jobs.scheduleJob(walletEventQueue, 'tell', EVERY_MS);
  }

  /**
   * Publishes the event of each wallet that has new bookings since the last run. Safe to run in
   * several processes at the same time: the id of an event is computed from its ledger entry.
   */
  async publishWalletChanges(): Promise<void> {
    const startedAt = performance.now();
    const since = this.lastLookAt ? (startedAt - this.lastLookAt) / 1_000 + OVERLAP_SECONDS : MAX_LOOK_BACK_SECONDS;
    const seconds = Math.min(since, MAX_LOOK_BACK_SECONDS);
    for (let after = '0'; ;) {
      const moved = await this.findChangedWallets(after, seconds);
      const untold = moved.filter(({ wallet_id: id, seq }) => this.told.get(id) !== seq);
      for (let at = 0; at < untold.length; at += PUBLISHED_AT_ONCE)
        await this.publish(untold.slice(at, at + PUBLISHED_AT_ONCE));
      if (moved.length < READ_AT_ONCE) break;
      after = moved.at(-1)?.wallet_id ?? after;
    }
    this.lastLookAt = startedAt;
  }

  private async publish(moved: readonly ChangedWallet[]): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      for (const { event_id: id, tenant_id: tenantId, user_id: userId, balance, seq } of moved) {
        const data = { balance: Number(balance), seq: Number(seq) };
        await publishEvent(em, { type: 'wallet.changed', id, tenantId, userId, data });
      }
    });
    for (const { wallet_id: id, seq } of moved) this.told.set(id, seq);
  }

  private findChangedWallets(after: string, seconds: number): Promise<ChangedWallet[]> {
    return this.dataSource.query<ChangedWallet[]>(
      `SELECT md5('wallet.changed ' || m.wallet_id || ' ' || m.seq)::uuid AS event_id, m.wallet_id, m.seq, m.balance_after AS balance, w.user_id, w.tenant_id
       FROM (SELECT DISTINCT ON (wallet_id) wallet_id, seq, balance_after FROM ledger_entries
             WHERE recorded_at > now() - make_interval(secs => $2) AND wallet_id > $1 ORDER BY wallet_id, seq DESC) AS m
       JOIN wallets w ON w.id = m.wallet_id AND w.kind = 'user' ORDER BY m.wallet_id LIMIT ${READ_AT_ONCE}`,
      [after, seconds],
    );
  }
}
