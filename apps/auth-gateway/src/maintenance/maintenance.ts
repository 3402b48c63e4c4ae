import { Inject, Injectable } from '@nestjs/common';
import { PostgresRateLimiter } from '@platform/guards';
import { Jobs, maintenanceQueue } from '@platform/messaging';
import { deleteExpired, inTurn, PAST_EVENT_USAGE, type ExpiredRows } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { resealAll } from './reseal.js';
import { NARROWING_COUNTS_FOR } from '../extensions/installs/install-narrowings.js';
import { SIGNUP_WAITS_DAYS } from '../identity/pending-signups/pending-credentials.js';
import { SigningKeys } from '../identity/tokens/signing-keys.js';

type MaintenanceJobs = { 'signing-keys': Record<string, never>; reseal: Record<string, never>; sweep: Record<string, never> };

const MINUTE_MS = 60_000;

const queue = maintenanceQueue<MaintenanceJobs>();

/** What serves nothing any more. */
const EXPIRED: readonly ExpiredRows[] = [
  { table: 'mail_tokens', key: 'id', where: "expires_at < now() - interval '1 day'" },
  { table: 'pending_credentials', key: 'id', where: `created_at < now() - interval '${SIGNUP_WAITS_DAYS + 1} days'` },
  { table: 'device_codes', key: 'device_hash', where: "expires_at < now() - interval '1 hour'" },
  { table: 'device_polls', key: 'device_hash', where: "polled_at < now() - interval '1 hour'" },
  // As long as a second use is noticed.
  { table: 'cli_codes', key: 'code_hash', where: "expires_at < now() - interval '30 days'" },
  // As far back as a developer of any tier sees.
  { table: 'actions', key: 'id', where: "created_at < now() - interval '400 days'" },
  { table: 'confirmations', key: 'id', where: "expires_at < now() - interval '1 day'" },
  { table: 'notifications', key: 'id', where: "created_at < now() - interval '90 days'" },
  PAST_EVENT_USAGE,
  // As long as they count.
  { table: 'install_narrowings', key: 'id', where: `created_at < now() - interval '${NARROWING_COUNTS_FOR}'` },
  // Longer than the host may be away, and than a client may come back to what it has missed.
  { table: 'platform_events', key: 'id', where: "created_at < now() - interval '8 days'" },
  // Longer than an event could come again.
  { table: 'automation_fires', key: 'id', where: "fired_at < now() - interval '14 days' AND status <> 'pending'" },
  {
    table: 'login_throttles',
    key: 'key',
    where: "updated_at < now() - interval '2 days' AND (blocked_until IS NULL OR blocked_until < now())",
  },
  // A dead one is kept for a while, for who looks into what happened; one that was registered tells nothing.
  {
    table: 'sessions',
    key: 'id',
    where: "least(revoked_at, idle_expires_at, absolute_expires_at) < now() - interval '1 day' * CASE WHEN registered THEN 1 ELSE 90 END",
  },
];

/** What must happen by itself: keys rotate when they are due, what is sealed moves to the first secret key, and rows that serve nothing any more go. */
@Injectable()
export class Maintenance {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SigningKeys) keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Jobs) jobs: Jobs,
  ) {
    jobs.process(queue, { 'signing-keys': () => keys.maintain(), reseal: () => this.reseal(), sweep: () => this.sweep() });
    jobs.schedule(queue, 'signing-keys', 60 * MINUTE_MS);
    jobs.schedule(queue, 'reseal', 60 * MINUTE_MS, { atStart: true });
    jobs.schedule(queue, 'sweep', 5 * MINUTE_MS);
  }

  private async reseal(): Promise<void> {
    for (const { what, resealed, failed } of await resealAll(this.dataSource, this.config.SECRET_KEYS)) {
      for (const { id, reason } of failed) this.logger.error({ what, id, reason }, 'what is sealed does not open');
      if (resealed) this.logger.info({ what, resealed }, 'sealed anew with the first secret key');
    }
  }

  private async sweep(): Promise<void> {
    await this.dataSource.query('SELECT gateway_audit.audit_create_partitions(3)');
    const isDone = await inTurn([
      () => PostgresRateLimiter.sweep(this.dataSource),
      ...EXPIRED.map((rows) => () => deleteExpired(this.dataSource, rows)),
    ]);
    if (!isDone) this.logger.warn('rows expire faster than they are deleted');
  }
}
