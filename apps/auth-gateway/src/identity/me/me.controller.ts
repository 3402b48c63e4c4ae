import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UserResponse } from '@platform/contracts';
import { Access, CurrentUser } from '@platform/guards';
import type { AuthenticatedUser } from '../sessions/signed-in-users.js';

@ApiTags('Auth')
@Controller('v1/auth')
export class MeController {
  /** The user of the access token or API key, whose scopes are then those of the key. A change made elsewhere shows within 5 s. */
  @Get('me')
  @Access('bearer', { keyScope: 'profile:read' })
  me(@CurrentUser() user: AuthenticatedUser): UserResponse {
    return toUserResponse(user);
  }
}

const toUserResponse = ({ userId, email, role, tenantId, orgId, scopes, profile }: AuthenticatedUser): UserResponse => ({
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
  attributes: profile.attributes,
  cases_user_id: profile.casesUserId,
  created_at: profile.createdAt,
  last_login: profile.lastLoginAt,
});
