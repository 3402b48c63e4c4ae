import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { DeclaredSecret, SecretDeletedResponse, SecretOwnerQuery, SecretValue } from '@platform/contracts';
import { Access } from '@platform/guards';
import { HostAppSecretsService } from './host-app-secrets.service.js';

@Controller('v1/internal/apps/:app_id/secrets')
export class AppSecretsController {
  constructor(private readonly secrets: HostAppSecretsService) {}

  @Get()
  @Access('service', { permission: 'app-data' })
  listSecrets(@Param('app_id') appId: string, @Query() owner: SecretOwnerQuery): Promise<DeclaredSecret[]> {
    return this.secrets.listSecrets(appId, owner);
  }

  @Get(':name')
  @Access('service', { permission: 'app-data' })
  getSecret(
    @Param('app_id') appId: string,
    @Param('name') name: string,
    @Query() owner: SecretOwnerQuery,
  ): Promise<SecretValue> {
    return this.secrets.getSecret(appId, name, owner);
  }

  @Put(':name')
  @HttpCode(204)
  @Access('service', { permission: 'app-data' })
  setSecret(
    @Param('app_id') appId: string,
    @Param('name') name: string,
    @Query() owner: SecretOwnerQuery,
    @Body() value: SecretValue,
  ): Promise<void> {
    return this.secrets.setSecret(appId, name, owner, value);
  }

  @Delete(':name')
  @Access('service', { permission: 'app-data' })
  deleteSecret(
    @Param('app_id') appId: string,
    @Param('name') name: string,
    @Query() owner: SecretOwnerQuery,
  ): Promise<SecretDeletedResponse> {
    return this.secrets.deleteSecret(appId, name, owner);
  }
}
