import { Module, type DynamicModule } from '@nestjs/common';
import { selectServiceToken } from '@platform/platform';
import { Registry as Metrics } from 'prom-client';
import type { Config } from '../../config.js';
import { GatewayClient } from './gateway.client.js';
import { RunGrantsClient } from './run-grants.client.js';

@Module({})
export class GatewayModule {
  static register({ AUTH_GATEWAY_URL, AUTH_GATEWAY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): DynamicModule {
    const serviceToken = AUTH_GATEWAY_SERVICE_TOKEN || selectServiceToken('ext-webhook-host', SERVICE_TOKENS);
    return {
      module: GatewayModule,
      global: true,
      providers: [
        {
          provide: GatewayClient,
          useFactory: (metrics: Metrics) => new GatewayClient({ baseUrl: AUTH_GATEWAY_URL, serviceToken, metrics }),
          inject: [Metrics],
        },
        RunGrantsClient,
      ],
      exports: [GatewayClient, RunGrantsClient],
    };
  }
}
