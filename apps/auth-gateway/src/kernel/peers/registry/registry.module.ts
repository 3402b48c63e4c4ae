import { Module } from '@nestjs/common';
import { selectServiceToken } from '@platform/platform';
import { Registry as Metrics } from 'prom-client';
import { CONFIG, type Config } from '../../../config.js';
import { RegistryClient } from './registry.client.js';

/** Exports the client of the Registry. */
@Module({
  providers: [
    {
      provide: RegistryClient,
      useFactory: (config: Config, metrics: Metrics) =>
        new RegistryClient({ baseUrl: config.REGISTRY_URL, serviceToken: registryToken(config), metrics }),
      inject: [CONFIG, Metrics],
    },
  ],
  exports: [RegistryClient],
})
export class RegistryModule {}

const registryToken = ({ REGISTRY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): string =>
  REGISTRY_SERVICE_TOKEN || selectServiceToken('gateway', SERVICE_TOKENS);
