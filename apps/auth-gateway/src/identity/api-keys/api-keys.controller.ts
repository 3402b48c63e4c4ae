import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateKeyRequest, DeleteKeyResponse, KeyListItem, KeyResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { SignedInUser } from '../sessions/signed-in-users.js';
import { ApiKeys } from './api-keys.service.js';

/** Keys can be managed only in a session: a leaked key must not create more keys. */
@ApiTags('API keys')
@Controller('v1/keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeys) {}

  /** Creates a key. Only this answer contains the key. */
  @Post()
  @Access('session')
  createKey(@CurrentUser() user: SignedInUser, @Body() request: CreateKeyRequest): Promise<KeyResponse> {
    return this.keys.create(user, request);
  }

  /** The keys of the user, newest first. */
  @Get()
  @Access('session')
  @RefusesUnknownQueryKeys()
  listKeys(@CurrentUser() user: UserCaller): Promise<KeyListItem[]> {
    return this.keys.list(user);
  }

  /** Deletes a key. It stops working immediately. */
  @Delete(':key_id')
  @Access('session')
  deleteKey(@CurrentUser() user: UserCaller, @Param('key_id') id: string): Promise<DeleteKeyResponse> {
    return this.keys.delete(user, id);
  }
}
