import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { AppLogs } from './app-logs.service.js';
import { AppOperationsController } from './app-operations.controller.js';
import { AppSecrets } from './app-secrets.service.js';
import { AppTriggers } from './app-triggers.service.js';
import { WebhookDeliveries } from './webhook-deliveries.service.js';

/** Secrets, logs, webhook deliveries and schedules of apps; the host stores them. */
@Module({
  imports: [ExtensionHostModule],
  controllers: [AppOperationsController],
  providers: [AppLogs, AppSecrets, AppTriggers, WebhookDeliveries],
  exports: [AppSecrets],
})
export class AppOperationsModule {}
