import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_TENANT } from '@platform/contracts';
import { currentContext, LOGGER, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { RunGrant } from './run-grant.js';

/** Time in which a repeated refusal is not recorded again. */
const RECORDED_EVERY_MS = 60 * 60_000;
const REMEMBERED = 10_000;

/**
 * Records refused run grants in the audit log: once an hour for each app, kind of run, user and
 * reason.
 */
@Injectable()
export class GrantRefusalsService {
  private readonly recorded = new LRUCache<string, true>({ ...maxEntries(REMEMBERED), ttl: RECORDED_EVERY_MS });

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records in the audit log that a run grant was refused, once an hour for the same app, kind of
   * run, user and reason. Never fails.
   *
   * @param grant null if the text is not a valid grant: its content is not trusted.
   */
  async recordRefusal(reason: string, grant: RunGrant | null): Promise<void> {
    const service = currentContext()?.actor?.id ?? '';
    const key = JSON.stringify([reason, ...(grant ? [grant.appId, grant.kind, grant.userId] : [null, service])]);
    if (this.recorded.has(key)) return;
    this.recorded.set(key, true);
    const about = grant
      ? {
          target: { type: 'app', id: grant.appId },
          tenantId: grant.tenantId,
          metadata: {
            reason,
            kind: grant.kind,
            version: grant.version,
            ...(grant.userId !== null && { user_id: grant.userId }),
          },
        }
      : { target: { type: 'service', id: service }, tenantId: DEFAULT_TENANT, metadata: { reason } };
    await recordAudit(this.dataSource.manager, { action: 'run_grant.refused', ...about }).catch((error: unknown) => {
      this.recorded.delete(key);
      this.logger.error({ err: error, reason }, 'could not record that a run grant was refused');
    });
  }
}
