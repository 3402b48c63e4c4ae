import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateKeyRequest, DeleteKeyResponse, KeyListItem, KeyResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { SignedInUser } from '../sessions/signed-in-users.service.js';
import { ApiKeysService } from './api-keys.service.js';

/** Keys can be managed only in a session: a leaked key must not create more keys. */
@ApiTags('API keys')
@Controller('v1/keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /**
   * Creates an API key. Only this answer contains the key. 403 `auth_method_not_allowed` if the
   * tenant does not allow API keys, 409 `api_key.too_many` if the user has 50 keys, 422 for a scope
   * that does not exist or that the user does not hold.
   */
  @Post()
  @Access('session')
  createKey(@CurrentUser() user: SignedInUser, @Body() request: CreateKeyRequest): Promise<KeyResponse> {
    return this.keys.createKey(user, request);
  }

  /** Lists the API keys of the user, newest first, without the secret part. */
  @Get()
  @Access('session')
  @RefusesUnknownQueryKeys()
  listKeys(@CurrentUser() user: UserCaller): Promise<KeyListItem[]> {
    return this.keys.listKeys(user);
  }

  /**
   * Deletes an API key. It stops working immediately. 404 `api_key.not_found` if the user has no
   * such key.
   */
  @Delete(':key_id')
  @Access('session')
  deleteKey(@CurrentUser() user: UserCaller, @Param('key_id') id: string): Promise<DeleteKeyResponse> {
    return this.keys.deleteKey(user, id);
  }
}
