import { Module } from '@nestjs/common';
import { selectServiceToken } from '@platform/platform';
import { Registry as Metrics } from 'prom-client';
import { CONFIG, type Config } from '../../../config.js';
import { ExtensionHostClient } from './extension-host.client.js';

/** Exports the client of the host, for features that run apps or read data about their runs. */
@Module({
  providers: [
    {
      provide: ExtensionHostClient,
      useFactory: (config: Config, metrics: Metrics) =>
        new ExtensionHostClient({ baseUrl: config.EXT_WEBHOOK_HOST_URL, serviceToken: hostToken(config), metrics }),
      inject: [CONFIG, Metrics],
    },
  ],
  exports: [ExtensionHostClient],
})
export class ExtensionHostModule {}

const hostToken = ({ EXT_WEBHOOK_HOST_SERVICE_TOKEN, SERVICE_TOKENS }: Config): string =>
  EXT_WEBHOOK_HOST_SERVICE_TOKEN || selectServiceToken('gateway', SERVICE_TOKENS);
