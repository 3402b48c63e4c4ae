import { Module } from '@nestjs/common';
import { ApiKeyOwnersController } from './api-key-owners.controller.js';
import { ApiKeyAuthenticationService } from './api-key-authentication.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  controllers: [ApiKeysController, ApiKeyOwnersController],
  providers: [ApiKeyAuthenticationService, ApiKeysService],
  exports: [ApiKeyAuthenticationService],
})
export class ApiKeysModule {}
