import { Module, type DynamicModule } from '@nestjs/common';
import { VersionPermissionsService } from './version-permissions.service.js';
import { ExtensionCallsService } from './extension-calls.service.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

/** Runs of apps. */
@Module({})
export class RunsModule {
  /**
   * Registers the module. `parts` are the modules that runs depend on. They are exported, because
   * modules that start runs need them, too.
   */
  static withModules(...parts: DynamicModule[]): DynamicModule {
    return {
      module: RunsModule,
      imports: parts,
      controllers: [RunsController],
      providers: [VersionPermissionsService, ExtensionCallsService, RunsService],
      exports: [...parts, RunsService],
    };
  }
}
