import { Global, Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HealthModule } from './health.js';
import { createMetrics } from './http/metrics.js';
import type { Logger } from 'pino';

/** Injection token of the service's pino logger. Inside a request prefer `currentContext().log`, which carries its id. */
export const LOGGER = Symbol('LOGGER');

type Imported = NonNullable<ModuleMetadata['imports']>[number];

/** What every service gives to its features: logger, metrics and readiness. */
@Global()
@Module({})
export class PlatformModule {
  static around(service: string, root: unknown, logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      imports: [HealthModule, root as Imported],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Registry, useFactory: () => createMetrics(service) },
      ],
      exports: [LOGGER, Registry],
    };
  }
}
