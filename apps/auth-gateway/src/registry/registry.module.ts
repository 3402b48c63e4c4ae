import { Module } from '@nestjs/common';
import { Registry as Metrics } from 'prom-client';
import { CONFIG, type Config } from '../config.js';
import { RegistryClient } from './registry-client.js';

/** For the features that ask the Registry. */
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

/** On one machine both services are given the same tokens. */
const registryToken = ({ REGISTRY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): string =>
  REGISTRY_SERVICE_TOKEN || (SERVICE_TOKENS[0]?.token ?? '');
