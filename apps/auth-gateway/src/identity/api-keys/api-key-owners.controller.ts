import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiKeyOwnerRequest, ApiKeyOwnerResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { ApiKeyAuthentication } from './api-key-authentication.js';

/**
 * For the Registry, which also accepts API keys. It returns the owner of a key regardless of the
 * key's scopes.
 */
@Controller('v1/internal/api-key-owners')
export class ApiKeyOwnersController {
  constructor(private readonly keys: ApiKeyAuthentication) {}

  /** The owner and the scopes of an API key. 401 if the key is not valid. */
  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'api-key-owners' })
  async getApiKeyOwner(@Body() { key }: ApiKeyOwnerRequest): Promise<ApiKeyOwnerResponse> {
    const { userId, apiKeyId = '', tenantId, role, scopes, keyScopes = [] } = await this.keys.authenticate(key);
    return { key_id: apiKeyId, user_id: userId, tenant_id: tenantId, role, scopes: [...scopes], key_scopes: [...keyScopes] };
  }
}
