import { Global, Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HealthModule } from './health.js';
import type { Logger } from 'pino';

/**
 * Injection token of the service's pino logger. Inside a request prefer `currentContext().log`,
 * which adds the request id.
 */
export const LOGGER = Symbol('LOGGER');

type Imported = NonNullable<ModuleMetadata['imports']>[number];

/** Provides the logger, the metrics and the readiness checks to the features of a service. */
@Global()
@Module({})
export class PlatformModule {
  /** Wraps the root module of a service. */
  static forRoot(root: unknown, logger: Logger, metrics: Registry): DynamicModule {
    return {
      module: PlatformModule,
      imports: [HealthModule, root as Imported],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Registry, useValue: metrics },
      ],
      exports: [LOGGER, Registry],
    };
  }
}
