import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { AppLogsService } from './app-logs.service.js';
import { AppOperationsController } from './app-operations.controller.js';
import { AppSecretsService } from './app-secrets.service.js';
import { AppTriggersService } from './app-triggers.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Secrets, logs, webhook deliveries and schedules of apps; the host stores them. */
@Module({
  imports: [ExtensionHostModule],
  controllers: [AppOperationsController],
  providers: [AppLogsService, AppSecretsService, AppTriggersService, WebhookDeliveriesService],
  exports: [AppSecretsService],
})
export class AppOperationsModule {}
