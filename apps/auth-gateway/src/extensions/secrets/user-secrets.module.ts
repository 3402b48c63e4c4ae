import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { UserSecretsController } from './user-secrets.controller.js';
import { UserSecretsService } from './user-secrets.service.js';

@Module({
  imports: [CallsModule, ExtensionHostModule],
  controllers: [UserSecretsController],
  providers: [UserSecretsService],
})
export class UserSecretsModule {}
