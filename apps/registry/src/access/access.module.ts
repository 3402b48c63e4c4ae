import { Module, type DynamicModule } from '@nestjs/common';
import { tokenOf } from '@platform/platform';
import type { Config } from '../config.js';
import { ApiKeyUsers } from './registry-credentials.service.js';
import { GatewayQuestions } from './registry-gateway.client.js';

@Module({})
export class AccessModule {
  static register({ AUTH_GATEWAY_URL, AUTH_GATEWAY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): DynamicModule {
    const serviceToken = AUTH_GATEWAY_SERVICE_TOKEN || tokenOf('registry', SERVICE_TOKENS);
    return {
      module: AccessModule,
      providers: [
        { provide: GatewayQuestions, useFactory: () => new GatewayQuestions(AUTH_GATEWAY_URL, serviceToken) },
        {
          provide: ApiKeyUsers,
          useFactory: (gateway: GatewayQuestions) => new ApiKeyUsers(gateway),
          inject: [GatewayQuestions],
        },
      ],
      exports: [ApiKeyUsers, GatewayQuestions],
    };
  }
}
