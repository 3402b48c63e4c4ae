import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiKeyOwnerRequest, ApiKeyOwnerResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { ApiKeyAuthentication } from './api-key-authentication.js';

/** For the Registry, which takes API keys too: whatever a key is for, it says whose it is. */
@Controller('v1/internal/api-key-owners')
export class ApiKeyOwnersController {
  constructor(private readonly keys: ApiKeyAuthentication) {}

  /** Whose a key is and what it may do. 401 for what is no key. */
  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'api-key-owners' })
  async getApiKeyOwner(@Body() { key }: ApiKeyOwnerRequest): Promise<ApiKeyOwnerResponse> {
    const { userId, apiKeyId = '', tenantId, role, scopes, keyScopes = [] } = await this.keys.authenticate(key);
    return { key_id: apiKeyId, user_id: userId, tenant_id: tenantId, role, scopes: [...scopes], key_scopes: [...keyScopes] };
  }
}
