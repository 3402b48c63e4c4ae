import { Inject, Injectable } from '@nestjs/common';
import { PostgresRateLimiter } from '@platform/guards';
import { exponentialBackoff, Jobs, type QueueDefinition } from '@platform/messaging';
import { DataSource } from 'typeorm';
import { SigningKeys } from '../tokens/signing-keys.js';

type MaintenanceJobs = { 'signing-keys': Record<string, never>; sweep: Record<string, never> };

const HOUR_MS = 3_600_000;
const BATCH = 10_000;
const SESSION_REMEMBERED = '90 days';
/** As long as a second use of a one-time code is noticed. */
const CODE_REMEMBERED = '30 days';

/** As far back as a developer of any tier sees. */
const ACTION_REMEMBERED = '400 days';
const NOTIFICATION_REMEMBERED = '90 days';
/** Longer than the host may be away, and than a client may come back to what it has missed. */
const EVENT_REMEMBERED = '48 hours';

const maintenanceQueue: QueueDefinition<MaintenanceJobs> = {
  name: 'maintenance',
  attempts: 3,
  backoff: exponentialBackoff(5_000, 60_000),
  concurrency: 1,
};

/** What must happen by itself: keys rotate when they are due, and rows that serve nothing any more go, in bounded batches. */
@Injectable()
export class Maintenance {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SigningKeys) keys: SigningKeys,
    @Inject(Jobs) jobs: Jobs,
  ) {
    jobs.process(maintenanceQueue, { 'signing-keys': () => keys.maintain(), sweep: () => this.sweep() });
    jobs.schedule(maintenanceQueue, 'signing-keys', HOUR_MS);
    jobs.schedule(maintenanceQueue, 'sweep', HOUR_MS);
  }

  /** A dead session is kept for a while, since it still tells a known device from a stranger. */
  private async sweep(): Promise<void> {
    await PostgresRateLimiter.sweep(this.dataSource);
    await this.dataSource.query('SELECT audit_create_partitions(3)');
    await this.deleteBatch('mail_tokens', 'id', "expires_at < now() - interval '1 day'");
    await this.deleteBatch('device_codes', 'device_hash', "expires_at < now() - interval '1 hour'");
    await this.deleteBatch('device_polls', 'device_hash', "polled_at < now() - interval '1 hour'");
    await this.deleteBatch('cli_codes', 'code_hash', `expires_at < now() - interval '${CODE_REMEMBERED}'`);
    await this.deleteBatch('actions', 'id', `created_at < now() - interval '${ACTION_REMEMBERED}'`);
    await this.deleteBatch('confirmations', 'id', "expires_at < now() - interval '1 day'");
    await this.deleteBatch('notifications', 'id', `created_at < now() - interval '${NOTIFICATION_REMEMBERED}'`);
    await this.deleteBatch('platform_events', 'id', `created_at < now() - interval '${EVENT_REMEMBERED}'`);
    await this.deleteBatch(
      'login_throttles',
      'key',
      "updated_at < now() - interval '2 days' AND (blocked_until IS NULL OR blocked_until < now())",
    );
    await this.deleteBatch(
      'sessions',
      'id',
      `least(revoked_at, idle_expires_at, absolute_expires_at) < now() - interval '${SESSION_REMEMBERED}'`,
    );
  }

  private async deleteBatch(table: string, key: string, condition: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    );
  }
}
