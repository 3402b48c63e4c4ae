import { Inject, Injectable } from '@nestjs/common';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { LOGGER, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Run } from './run.js';
import { GatewayClient } from '../kernel/gateway/gateway-client.js';

/** A handler that tries again and again for the same user is reported once in this time, so the gateway counts reports, not tries. */
const REPEATED_AFTER_MS = 60_000;
const REMEMBERED = 10_000;

/**
 * Tells the gateway, which keeps the audit log, what extensions reached for and may not use. It is told with the grant of the run, which is
 * kept nowhere: what cannot be told within a few tries is lost, and counts as not told.
 */
@Injectable()
export class Denials {
  private readonly reported = new LRUCache<string, true>({ ...maxEntries(REMEMBERED), ttl: REPEATED_AFTER_MS });

  constructor(
    private readonly gateway: GatewayClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects; the run does not wait for it, and may be over by then. */
  async report({ app, kind, userId, tenantId, grant }: Run, capability: string): Promise<void> {
    const denial = { app_id: app.app_id, version: app.version, capability, call: kind, user_id: userId, tenant_id: tenantId };
    const key = JSON.stringify(denial);
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    try {
      await grant.use((text) => this.gateway.reportDenial({ grant: text, capability, call: kind }));
    } catch (error) {
      // The app was taken away meanwhile from whom it ran for.
      if (error instanceof ExtensionError) return;
      this.reported.delete(key);
      this.logger.error({ err: error, denial }, 'could not report what an extension may not use');
    }
  }
}
