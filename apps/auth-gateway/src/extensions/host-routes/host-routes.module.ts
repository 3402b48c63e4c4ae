import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ChatModule } from '../chat/chat.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { AppConfigsService } from './app-configs.service.js';
import { AppRuntimesService } from './app-runtimes.service.js';
import { CapabilityDenialsService } from './capability-denials.service.js';
import { ChainedCallsService } from './chained-calls.service.js';
import { HostRoutesController } from './host-routes.controller.js';

/** Internal routes for the host. */
@Module({
  imports: [CallsModule, ChatModule, NotificationsModule, RegistryModule, RunGrantsModule, TasksModule],
  controllers: [HostRoutesController],
  providers: [AppConfigsService, AppRuntimesService, CapabilityDenialsService, ChainedCallsService],
})
export class HostRoutesModule {}
