import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { SessionStore } from './session-store.js';

const INTERVAL_MS = 3_600_000;

/**
 * Deletes expired sessions every hour, in every process: the panel has no jobs, and sweeping twice
 * does no harm.
 */
@Injectable()
export class SessionCleanupService implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: SessionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.run(), INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async run(): Promise<void> {
    await this.store
      .sweep()
      .catch((error: unknown) => this.logger.error({ err: error }, 'expired sessions could not be deleted'));
  }
}
