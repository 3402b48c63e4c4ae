import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ChatModule } from '../chat/chat.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { AppConfigs } from './app-configs.service.js';
import { AppRuntimes } from './app-runtimes.service.js';
import { CapabilityDenials } from './capability-denials.service.js';
import { ChainedCalls } from './chained-calls.service.js';
import { HostRoutesController } from './host-routes.controller.js';

/** Internal routes for the host. */
@Module({
  imports: [CallsModule, ChatModule, NotificationsModule, RegistryModule, RunGrantsModule, TasksModule],
  controllers: [HostRoutesController],
  providers: [AppConfigs, AppRuntimes, CapabilityDenials, ChainedCalls],
})
export class HostRoutesModule {}
