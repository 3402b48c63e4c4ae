import { Inject, Injectable } from '@nestjs/common';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { RetentionService } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { AuditAnchorsStore } from './audit-anchors.store.js';
import { setAuditKeyring } from '../../kernel/audit/audit-keys.js';
import { AuditSealer } from './audit-sealer.js';

type SealJobs = { seal: Record<string, never>; anchor: Record<string, never> };

/** No retries: the next scheduled run does the work again. */
const queue: QueueDefinition<SealJobs> = {
  name: 'audit-seals',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

const SEAL_EVERY_MS = 10_000;
const ANCHOR_EVERY_MS = 3_600_000;

/**
 * Sets the keys of the audit log and schedules its jobs: seals every 10 seconds, anchors every
 * hour.
 */
@Injectable()
export class AuditSealWorker {
  readonly sealer: AuditSealer;

  constructor(
    dataSource: DataSource,
    @Inject(CONFIG) { SECRET_KEYS, AUDIT_ANCHOR_FILE }: Config,
    @Inject(LOGGER) logger: Logger,
    retention: RetentionService,
    jobs: JobsService,
  ) {
    setAuditKeyring(dataSource, SECRET_KEYS);
    this.sealer = new AuditSealer(dataSource, SECRET_KEYS, new AuditAnchorsStore(AUDIT_ANCHOR_FILE, logger), logger);
    // Each sweep creates the missing partitions for the next three months.
    retention.registerPreparation(() => dataSource.query('SELECT gateway_audit.audit_create_partitions(3)'));
    jobs.registerHandlers(queue, {
      seal: () => this.sealer.sealAllTenants(),
      anchor: () => this.sealer.anchorAllTenants(),
    });
    jobs.scheduleJob(queue, 'seal', SEAL_EVERY_MS);
    jobs.scheduleJob(queue, 'anchor', ANCHOR_EVERY_MS, { atStart: true });
  }
}
