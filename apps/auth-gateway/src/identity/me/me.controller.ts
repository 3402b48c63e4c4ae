import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UserResponse } from '@platform/contracts';
import { Access, CurrentUser, hasScope } from '@platform/guards';
import type { AuthenticatedUser } from '../sessions/signed-in-users.js';

@ApiTags('Auth')
@Controller('v1/auth')
export class MeController {
  /**
   * The user of the access token or API key, whose scopes are then those of the key. A change made elsewhere shows within 5 s. `attributes.billing` says to whom their
   * invoices are made out, where they said so; with an API key only if it has `billing:read`.
   */
  @Get('me')
  @Access('bearer', { keyScope: 'profile:read' })
  me(@CurrentUser() user: AuthenticatedUser): UserResponse {
    return toUserResponse(user);
  }
}

const toUserResponse = ({ userId, email, role, tenantId, orgId, scopes, profile, keyScopes }: AuthenticatedUser): UserResponse => ({
  platform_id: userId,
  id: userId,
  email,
  first_name: profile.firstName,
  last_name: profile.lastName,
  role,
  tenant_id: tenantId,
  agency_id: profile.agencyId,
  org_id: orgId,
  is_active: true, // nobody else gets this far
  auth_method: profile.authMethod,
  scopes: [...scopes],
  attributes: attributesOf(profile, !keyScopes || hasScope(keyScopes, 'billing:read')),
  cases_user_id: profile.casesUserId,
  created_at: profile.createdAt,
  last_login: profile.lastLoginAt,
});

/** What stands in their attributes as `billing`, which others may have written, never passes for the profile. */
function attributesOf({ attributes, billing }: AuthenticatedUser['profile'], mayReadBilling: boolean): Record<string, unknown> {
  const { billing: _own, ...others } = attributes;
  return billing && mayReadBilling ? { ...others, billing } : others;
}
