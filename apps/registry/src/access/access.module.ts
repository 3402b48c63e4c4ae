import { Module, type DynamicModule } from '@nestjs/common';
import { tokenOf } from '@platform/platform';
import type { Config } from '../config.js';
import { ApiKeyUsers } from './api-key-users.js';

@Module({})
export class AccessModule {
  static register({ AUTH_GATEWAY_URL, AUTH_GATEWAY_SERVICE_TOKEN, SERVICE_TOKENS }: Config): DynamicModule {
    const serviceToken = AUTH_GATEWAY_SERVICE_TOKEN || tokenOf('registry', SERVICE_TOKENS);
    return {
      module: AccessModule,
      providers: [{ provide: ApiKeyUsers, useFactory: () => new ApiKeyUsers(AUTH_GATEWAY_URL, serviceToken) }],
      exports: [ApiKeyUsers],
    };
  }
}
