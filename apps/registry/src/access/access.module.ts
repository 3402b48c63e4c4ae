import { Module, type DynamicModule } from '@nestjs/common';
import { selectServiceToken } from '@platform/platform';
import type { Config } from '../config.js';
import { RegistryCredentialsService } from './registry-credentials.service.js';
import { RegistryGatewayClient } from './registry-gateway.client.js';

@Module({})
export class AccessModule {
  static register({ AUTH_GATEWAY_URL, AUTH_GATEWAY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): DynamicModule {
    const serviceToken = AUTH_GATEWAY_SERVICE_TOKEN || selectServiceToken('registry', SERVICE_TOKENS);
    return {
      module: AccessModule,
      providers: [
        { provide: RegistryGatewayClient, useFactory: () => new RegistryGatewayClient(AUTH_GATEWAY_URL, serviceToken) },
        {
          provide: RegistryCredentialsService,
          useFactory: (gateway: RegistryGatewayClient) => new RegistryCredentialsService(gateway),
          inject: [RegistryGatewayClient],
        },
      ],
      exports: [RegistryCredentialsService, RegistryGatewayClient],
    };
  }
}
