import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SecretDeletedResponse, SecretPath, SecretSetResponse, SecretValue, UserSecret } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { UserSecretsService } from './user-secrets.service.js';

/** Secrets that a user gives to an app, such as a token of another service. */
@ApiTags('Extensions')
@Controller('v1/secrets/:app_id')
export class UserSecretsController {
  constructor(private readonly secrets: UserSecretsService) {}

  /**
   * Lists the secrets that the app declares for users, each with whether the user has set it. A
   * user who cannot call the app is answered 404 or 403.
   */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  @RefusesUnknownQueryKeys()
  listUserSecrets(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<UserSecret[]> {
    return this.secrets.listSecrets(user, appId);
  }

  /**
   * Reads the value of a secret that the user has set for an app. A secret that the app does not
   * declare, or that is not set, is answered 404.
   */
  @Get(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  getUserSecret(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<SecretValue> {
    return this.secrets.getSecretValue(user, app_id, name);
  }

  /**
   * Tells if the user has set a secret for an app, without its value. A secret that the app does
   * not declare is answered 404 `secret.not_declared`.
   */
  @Get(':name/meta')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'secrets' })
  getUserSecretMeta(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<UserSecret> {
    return this.secrets.getSecretMeta(user, app_id, name);
  }

  /**
   * Sets a secret of the user for an app. It is stored encrypted. A secret that the app does not
   * declare is answered 404, one that only the app can set 403 `secret.read_only`, and a value that
   * the app does not accept 400 `secret.invalid`.
   */
  @Put(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'secrets' })
  setUserSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
    @Body() { value }: SecretValue,
  ): Promise<SecretSetResponse> {
    return this.secrets.setSecret(user, app_id, name, value);
  }

  /**
   * Deletes a secret of the user for an app; `was_set` tells if there was one. A secret that the
   * app does not declare is answered 404, one that only the app can set 403 `secret.read_only`.
   */
  @Delete(':name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'secrets' })
  deleteUserSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
  ): Promise<SecretDeletedResponse> {
    return this.secrets.deleteSecret(user, app_id, name);
  }
}
