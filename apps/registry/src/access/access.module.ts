import { Module, type DynamicModule } from '@nestjs/common';
import { ApiKeyUsers } from './api-key-users.js';

@Module({})
export class AccessModule {
  static register(gatewayUrl: string): DynamicModule {
    return {
      module: AccessModule,
      providers: [{ provide: ApiKeyUsers, useFactory: () => new ApiKeyUsers(gatewayUrl) }],
      exports: [ApiKeyUsers],
    };
  }
}
