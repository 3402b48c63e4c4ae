import { Inject, Injectable } from '@nestjs/common';
import type { CapabilityDenialRequest } from '@platform/contracts';
import { exponentialBackoff, Jobs, type QueueDefinition } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { GatewayClient } from '../gateway/gateway-client.js';

type DenialJobs = { report: CapabilityDenialRequest };

const denialQueue: QueueDefinition<DenialJobs> = {
  name: 'capability-denials',
  attempts: 8,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 2,
};

/** A handler that tries again and again is reported once in this time. */
const REPEATED_AFTER_MS = 60_000;
const REMEMBERED = 10_000;

/** Brings to the audit log, which the gateway keeps, what extensions reached for and may not use. */
@Injectable()
export class Denials {
  private readonly reported = new LRUCache<string, true>({ max: REMEMBERED, ttl: REPEATED_AFTER_MS });

  constructor(
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(GatewayClient) gateway: GatewayClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    jobs.process(denialQueue, { report: (denial) => gateway.reportDenial(denial) });
  }

  /** Never fails; the run does not wait for it. */
  report(denial: CapabilityDenialRequest): void {
    const key = JSON.stringify(denial);
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    this.outbox
      .transaction((em) => this.jobs.enqueue(em, denialQueue, 'report', denial))
      .catch((error: unknown) => this.logger.error({ err: error, denial }, 'could not record what an extension may not use'));
  }
}
