import { Inject, Injectable } from '@nestjs/common';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { LOGGER, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Run } from './run.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';

/**
 * Time in which repeated attempts of a handler for the same user are reported once, so the gateway
 * counts reports, not attempts.
 */
const REPEATED_AFTER_MS = 60_000;
const REMEMBERED = 10_000;

/**
 * Reports to the gateway, which keeps the audit log, that a run tried to use a capability it may
 * not use. A report carries the grant of the run, which is not stored: a report that fails after a
 * few attempts is lost, and the next attempt of the handler is reported instead.
 */
@Injectable()
export class DenialReportsService {
  private readonly reported = new LRUCache<string, true>({ ...maxEntries(REMEMBERED), ttl: REPEATED_AFTER_MS });

  constructor(
    private readonly gateway: GatewayClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reports that a run tried to use a capability that it may not use, unless the same (app version,
   * capability, kind of run, user) was reported in the last minute. Never rejects: a failed report
   * is logged. The run does not wait for the report, and can end before it.
   */
  async reportDenial({ app, kind, userId, tenantId, grant }: Run, capability: string): Promise<void> {
    const denial = {
      app_id: app.app_id,
      version: app.version,
      capability,
      call: kind,
      user_id: userId,
      tenant_id: tenantId,
    };
    const key = JSON.stringify(denial);
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    try {
      await grant.callWithGrant((text) => this.gateway.reportDenial({ grant: text, capability, call: kind }));
    } catch (error) {
      // The user of the run has lost the app meanwhile.
      if (error instanceof ExtensionError) return;
      this.reported.delete(key);
      this.logger.error(
        { err: error, denial },
        'could not report that an extension tried to use a forbidden capability',
      );
    }
  }
}
