import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UserResponse } from '@platform/contracts';
import { Access, CurrentUser, hasScope } from '@platform/guards';
import type { AuthenticatedUser } from '../sessions/signed-in-users.service.js';

@ApiTags('Auth')
@Controller('v1/auth')
export class MeController {
  /**
   * Returns the user of the access token or API key. With an API key, `scopes` are those scopes of
   * the key that the user still holds. A change made elsewhere is visible within 5 s.
   * `attributes.billing` is the user's billing profile, if they have one; an API key needs
   * `billing:read` to see it.
   */
  @Get('me')
  @Access('bearer', { keyScope: 'profile:read' })
  me(@CurrentUser() user: AuthenticatedUser): UserResponse {
    return toUserResponse(user);
  }
}

const toUserResponse = ({
  userId,
  email,
  role,
  tenantId,
  orgId,
  scopes,
  profile,
  keyScopes,
}: AuthenticatedUser): UserResponse => ({
  platform_id: userId,
  id: userId,
  email,
  first_name: profile.firstName,
  last_name: profile.lastName,
  role,
  tenant_id: tenantId,
  agency_id: profile.agencyId,
  org_id: orgId,
  is_active: true, // inactive users do not get this far
  auth_method: profile.authMethod,
  scopes: [...scopes],
  attributes: attributesOf(profile, !keyScopes || hasScope(keyScopes, 'billing:read')),
  cases_user_id: profile.casesUserId,
  created_at: profile.createdAt,
  last_login: profile.lastLoginAt,
});

/**
 * Returns the attributes of the user, with `billing` from their billing profile if the caller can
 * read it and the user has one. An attribute named `billing` is left out, because others may have
 * written it.
 */
function attributesOf(
  { attributes, billing }: AuthenticatedUser['profile'],
  mayReadBilling: boolean,
): Record<string, unknown> {
  const { billing: _own, ...others } = attributes;
  return billing && mayReadBilling ? { ...others, billing } : others;
}
