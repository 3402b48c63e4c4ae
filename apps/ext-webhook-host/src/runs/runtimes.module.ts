import { Module, type DynamicModule } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { CodeRuntime } from '../code/host/code-runtime.service.js';
import { Sandboxes } from '../code/host/sandbox-supervisor.js';
import type { Config } from '../config.js';
import { StepRuntime } from '../steps/step-runtime.service.js';
import { HandlerRuntimes } from './handler-runtime.service.js';

/** Runtimes for handlers of all forms. */
@Module({})
export class RuntimesModule {
  static register({ CODE_SANDBOX, CODE_THREADS, CODE_MEMORY_MB, NODE_ENV }: Config): DynamicModule {
    return {
      module: RuntimesModule,
      providers: [
        {
          provide: Sandboxes,
          useFactory: (logger: Logger) =>
            new Sandboxes(
              CODE_SANDBOX,
              { lanes: CODE_THREADS, megabytes: CODE_MEMORY_MB },
              NODE_ENV !== 'production',
              logger,
            ),
          inject: [LOGGER],
        },
        CodeRuntime,
        HandlerRuntimes,
        StepRuntime,
      ],
      exports: [HandlerRuntimes],
    };
  }
}
