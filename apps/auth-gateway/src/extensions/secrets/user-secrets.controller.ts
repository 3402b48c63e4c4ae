import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SecretDeletedResponse, SecretPath, SecretSetResponse, SecretValue, UserSecret } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { UserSecrets } from './user-secrets.service.js';

/** What a user entrusts to an extension, such as a token of another service. */
@ApiTags('Extensions')
@Controller('v1/secrets/:app_id')
export class UserSecretsController {
  constructor(private readonly secrets: UserSecrets) {}

  /** Which secrets of the user the extension declares, and whether they are set. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  @RefusesUnknownQueryKeys()
  listUserSecrets(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<UserSecret[]> {
    return this.secrets.list(user, appId);
  }

  /** The value of a secret that the user has set for an app. */
  @Get(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  getUserSecret(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<SecretValue> {
    return this.secrets.read(user, app_id, name);
  }

  /** Whether the user has set a secret for an app, without its value. */
  @Get(':name/meta')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  getUserSecretMeta(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<UserSecret> {
    return this.secrets.find(user, app_id, name);
  }

  /** Sets a secret of the caller for an app. It is kept sealed and never read back. */
  @Put(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'secrets' })
  setUserSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
    @Body() { value }: SecretValue,
  ): Promise<SecretSetResponse> {
    return this.secrets.set(user, app_id, name, value);
  }

  /** Removes a secret of the caller for an app. */
  @Delete(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'secrets' })
  deleteUserSecret(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<SecretDeletedResponse> {
    return this.secrets.delete(user, app_id, name);
  }
}
