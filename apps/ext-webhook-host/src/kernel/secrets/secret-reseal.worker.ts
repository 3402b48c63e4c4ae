import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasksService } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { SecretVaultService } from './secret-vault.service.js';

const RESEAL_EVERY_MS = 3_600_000;

/** Moves secrets to the current key every hour. */
@Injectable()
export class SecretResealWorker {
  constructor(
    private readonly secrets: SecretVaultService,
    @Inject(LOGGER) private readonly logger: Logger,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(RESEAL_EVERY_MS, 'reseal-secrets', () => this.reseal());
  }

  private async reseal(): Promise<void> {
    const { resealed, failed } = await this.secrets.resealSecrets();
    if (failed)
      this.logger.error({ resealed, failed }, 'some secrets of extensions do not open with the key that they name');
    else if (resealed) this.logger.info({ resealed }, 'secrets of extensions moved to the current key');
  }
}
