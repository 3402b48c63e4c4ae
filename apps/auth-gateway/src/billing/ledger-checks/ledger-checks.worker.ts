import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { countDueShares, findLastLedgerCheck, LedgerSealer, recordLedgerCheck, verifyLedger } from '@platform/billing';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';

type CheckJobs = { check: Record<string, never> };

/**
 * Separate queue, because the job takes long for a large ledger. The next run repeats failed work.
 */
export const ledgerCheckQueue: QueueDefinition<CheckJobs> = {
  name: 'ledger-checks',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
};

const DAY_MS = 86_400_000;
/** Most problems that the log lists one by one. */
const MAX_LOGGED = 100;

/**
 * Checks the ledger every night, and seals it if there is no problem. Sealing a faulty ledger would
 * confirm the fault.
 */
@Injectable()
export class LedgerChecksWorker implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(ledgerCheckQueue, { check: () => this.checkLedger() });
    jobs.scheduleJob(ledgerCheckQueue, 'check', DAY_MS);
    this.measure(registry);
  }

  /** Aborts a running check, because it can take longer than the service has time to stop. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  async checkLedger(): Promise<void> {
    const { dataSource, logger } = this;
    const { SECRET_KEYS: keyring } = this.config;
    const { signal } = this.stopping;
    let found = 0;
    const report = (problem: string) => {
      if (++found <= MAX_LOGGED) logger.error({ problem }, 'the ledger does not add up; see npm run billing:verify');
    };
    const verdict = await verifyLedger(dataSource, { keyring, report, signal }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (!verdict) return;
    await recordLedgerCheck(dataSource, verdict);
    const { wallets, entries, problems } = verdict;
    logger.info({ wallets, entries, problems }, 'the ledger was checked');
    if (problems > 0) {
      logger.error({ problems }, 'the ledger was not sealed, because it does not add up');
      return;
    }
    await new LedgerSealer(dataSource, keyring, logger).seal(signal);
  }

  private measure(registry: Registry): void {
    const { dataSource } = this;
    const registers = [registry];
    // Both gauges share one query, because they are collected at the same time.
    let reading: ReturnType<typeof findLastLedgerCheck> | null = null;
    const last = () =>
      (reading ??= findLastLedgerCheck(dataSource).finally(() => {
        reading = null;
      }));
    new Gauge({
      name: 'ledger_problems',
      help: 'Problems that the last check of the ledger found; NaN before the first check',
      registers,
      async collect() {
        this.set((await last())?.problems ?? Number.NaN);
      },
    });
    new Gauge({
      name: 'ledger_check_age_seconds',
      help: 'Seconds since the last check of the ledger; NaN before the first check',
      registers,
      async collect() {
        const checked = (await last())?.checkedAt;
        this.set(checked ? (Date.now() - checked.getTime()) / 1_000 : Number.NaN);
      },
    });
    new Gauge({
      name: 'ledger_shares_due',
      help: 'Shares of developers that are not booked yet, counted up to 10000. Shares are booked every few seconds',
      registers,
      async collect() {
        this.set(await countDueShares(dataSource));
      },
    });
  }
}
