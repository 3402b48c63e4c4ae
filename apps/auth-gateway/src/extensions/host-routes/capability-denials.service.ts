import { Injectable } from '@nestjs/common';
import type { CapabilityDenialRequest } from '@platform/contracts';
import { exponentialBackoff, JobsService, type QueueDefinition } from '@platform/messaging';
import { TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { RunGrant } from '../run-grants/run-grant.js';

type DenialJobs = { count: Record<string, never> };

const queue: QueueDefinition<DenialJobs> = {
  name: 'capability-denials',
  attempts: 3,
  backoff: exponentialBackoff(5_000, 60_000),
  concurrency: 1,
};

const HOUR_MS = 3_600_000;
/**
 * Interval between two audit entries about the same version, capability and tenant. Reports in
 * between are counted.
 */
const RECORDED_EVERY = '1 minute';
const COUNTED_FOR = '1 hour';
const BATCH = 500;

interface Counted {
  app_id: string;
  version: string;
  capability: string;
  tenant_id: string;
  counted_since: Date;
  unrecorded: string;
}

/**
 * Records the use of denied capabilities by apps. An app that tries without pause fills neither the
 * audit log nor a table.
 */
@Injectable()
export class CapabilityDenialsService {
  constructor(
    private readonly dataSource: DataSource,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(queue, { count: () => this.recordCounts() });
    jobs.scheduleJob(queue, 'count', HOUR_MS);
  }

  /**
   * Records that a run used a capability that its app was denied, in the audit log of the run's
   * tenant: the first report about a version and capability at once, then one a minute. The others
   * are counted, and the count is written every hour. Reports for unknown tenants are dropped.
   */
  async recordDenial(
    { appId, version, userId, tenantId }: RunGrant,
    { capability, call }: Omit<CapabilityDenialRequest, 'grant'>,
  ): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const [counted] = await new TenantData(em, tenantId).query<{ is_recorded: boolean }>(
        `INSERT INTO capability_denials AS known (tenant_id, app_id, version, capability)
         SELECT id, $1, $2, $3 FROM tenants WHERE id = $tenant
         ON CONFLICT (tenant_id, app_id, version, capability) DO UPDATE SET
           unrecorded = known.unrecorded + CASE WHEN known.recorded_at > now() - interval '${RECORDED_EVERY}' THEN 1 ELSE 0 END,
           recorded_at = CASE WHEN known.recorded_at > now() - interval '${RECORDED_EVERY}' THEN known.recorded_at ELSE now() END
         RETURNING recorded_at = now() AS is_recorded`,
        [appId, version, capability],
      );
      if (!counted?.is_recorded) return;
      await recordAudit(em, {
        action: 'app.capability_denied',
        target: { type: 'app', id: appId },
        tenantId,
        metadata: { version, capability, call, ...(userId !== null && { user_id: userId }) },
      });
    });
  }

  /**
   * Writes the counts of denied capabilities to the audit log and deletes the counters, one hour
   * after they began. Counters at zero are deleted without an entry.
   */
  async recordCounts(): Promise<void> {
    for (;;) {
      const counted = await this.dataSource.transaction((em) => this.recordBatch(em));
      if (counted < BATCH) return;
    }
  }

  private async recordBatch(em: EntityManager): Promise<number> {
    const [rows] = await em.query<[Counted[], number]>(
      `DELETE FROM capability_denials WHERE (tenant_id, app_id, version, capability) IN (
         SELECT tenant_id, app_id, version, capability FROM capability_denials
         WHERE counted_since < now() - interval '${COUNTED_FOR}'
         ORDER BY counted_since LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id, app_id, version, capability, counted_since, unrecorded`,
    );
    for (const { tenant_id: tenantId, app_id: appId, version, capability, counted_since: since, unrecorded } of rows) {
      if (unrecorded === '0') continue;
      await recordAudit(em, {
        action: 'app.capability_denials_counted',
        target: { type: 'app', id: appId },
        tenantId,
        metadata: { version, capability, reports: Number(unrecorded), since },
      });
    }
    return rows.length;
  }
}
