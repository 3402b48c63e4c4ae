import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiKeyOwnerRequest, ApiKeyOwnerResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { ApiKeyAuthenticationService } from './api-key-authentication.service.js';

/**
 * Tells the Registry, which also accepts API keys, the owner of a key. The answer does not depend
 * on the key's scopes.
 */
@Controller('v1/internal/api-key-owners')
export class ApiKeyOwnersController {
  constructor(private readonly keys: ApiKeyAuthenticationService) {}

  /**
   * Returns the owner and the scopes of an API key. 401 `invalid_api_key` if the key is unknown,
   * deleted or expired, if its owner can no longer sign in, or if the tenant does not allow API
   * keys.
   */
  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'api-key-owners' })
  async getApiKeyOwner(@Body() { key }: ApiKeyOwnerRequest): Promise<ApiKeyOwnerResponse> {
    const { userId, apiKeyId = '', tenantId, role, scopes, keyScopes = [] } = await this.keys.authenticateKey(key);
    return {
      key_id: apiKeyId,
      user_id: userId,
      tenant_id: tenantId,
      role,
      scopes: [...scopes],
      key_scopes: [...keyScopes],
    };
  }
}
