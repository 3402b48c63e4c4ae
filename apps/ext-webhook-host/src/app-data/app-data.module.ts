import { Module, type DynamicModule } from '@nestjs/common';
import { AppLogsController } from './app-logs.controller.js';
import { AppSecretsController } from './app-secrets.controller.js';
import { HostAppSecretsService } from './host-app-secrets.service.js';
import { PurgesService } from './purges.service.js';
import { PurgesController } from './purges.controller.js';

/** Logs and secrets of apps, and the deletion of stored data. */
@Module({})
export class AppDataModule {
  static withKernel(kernel: DynamicModule, documents: DynamicModule): DynamicModule {
    return {
      module: AppDataModule,
      imports: [kernel, documents],
      controllers: [AppLogsController, AppSecretsController, PurgesController],
      providers: [HostAppSecretsService, PurgesService],
    };
  }
}
