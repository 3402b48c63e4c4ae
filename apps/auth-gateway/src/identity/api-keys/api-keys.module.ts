import { Module } from '@nestjs/common';
import { ApiKeyOwnersController } from './api-key-owners.controller.js';
import { ApiKeyAuthentication } from './api-key-authentication.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeys } from './api-keys.service.js';

@Module({
  controllers: [ApiKeysController, ApiKeyOwnersController],
  providers: [ApiKeyAuthentication, ApiKeys],
  exports: [ApiKeyAuthentication],
})
export class ApiKeysModule {}
