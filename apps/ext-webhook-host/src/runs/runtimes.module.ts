import { Module, type DynamicModule } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { CodeRuntimeService } from '../code/host/code-runtime.service.js';
import { SandboxSupervisor } from '../code/host/sandbox-supervisor.js';
import type { Config } from '../config.js';
import { StepRuntimeService } from '../steps/step-runtime.service.js';
import { HandlerRuntimeService } from './handler-runtime.service.js';

/** Runtimes for handlers of all forms. */
@Module({})
export class RuntimesModule {
  static register({ CODE_SANDBOX, CODE_THREADS, CODE_MEMORY_MB, NODE_ENV }: Config): DynamicModule {
    return {
      module: RuntimesModule,
      providers: [
        {
          provide: SandboxSupervisor,
          useFactory: (logger: Logger) =>
            new SandboxSupervisor(
              CODE_SANDBOX,
              { lanes: CODE_THREADS, megabytes: CODE_MEMORY_MB },
              NODE_ENV !== 'production',
              logger,
            ),
          inject: [LOGGER],
        },
        CodeRuntimeService,
        HandlerRuntimeService,
        StepRuntimeService,
      ],
      exports: [HandlerRuntimeService],
    };
  }
}
