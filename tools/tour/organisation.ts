import type {
  AgencyResponse,
  AuditPageResponse,
  EffectiveScopesResponse,
  RoleResponse,
  ScopeResponse,
  TokenResponse,
  UserDetailResponse,
} from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import type { Tour } from './tour.js';

/**
 * An administrator creates a role, a user, a scope and an agency, and reads the audit log. Needs
 * the administrator's credentials.
 */
export async function organisation(tour: Tour): Promise<void> {
  const { administrator } = tour;
  if (!administrator) {
    tour.skip('Skipped the work of a tenant administrator, because ADMIN_EMAIL and ADMIN_PASSWORD are not set');
    return;
  }
  const mark = randomBytes(3).toString('hex');

  tour.step('As administrator: sign in');
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: administrator,
  });

  tour.step('Create a scope, a role that includes it, and a user with that role');
  const scope = await tour.call<ScopeResponse>('/v1/scopes', {
    method: 'POST',
    token,
    body: { resource: `invoices-${mark}`, action: 'read', display_name: 'See invoices' },
    status: 201,
  });
  const role = await tour.call<RoleResponse>('/v1/roles', {
    method: 'POST',
    token,
    body: { name: `bookkeeper-${mark}`, default_scopes: [scope.name] },
    status: 201,
  });
  const user = await tour.call<UserDetailResponse>('/v1/users', {
    method: 'POST',
    token,
    body: { email: `grace-${mark}@example.com`, password: randomBytes(12).toString('base64url'), role: role.name },
    status: 201,
  });

  tour.step('Deny the scope to the user, and list the origin of each permission');
  await tour.call(`/v1/users/${user.id}`, {
    method: 'PATCH',
    token,
    body: { denied_scopes: [scope.name], reason: 'on leave' },
  });
  await tour.call<EffectiveScopesResponse>(`/v1/scopes/effective/${user.id}`, { token });

  tour.step('Create an agency with its own theme');
  const agency = `acme-${mark}`;
  await tour.call<AgencyResponse>('/v1/agencies', {
    method: 'POST',
    token,
    body: { agency_id: agency, display_name: 'Acme' },
    status: 201,
  });
  await tour.call<AgencyResponse>(`/v1/agencies/${agency}/theme`, {
    method: 'PUT',
    token,
    body: {
      colors: {
        primary: { light: '#1f4fd8', dark: '#8fb0ff' },
        'primary-foreground': { light: '#ffffff', dark: '#0b1020' },
      },
      density: 'default',
      radius: 'rounded',
    },
  });

  tour.step('Read the audit log');
  await tour.call<AuditPageResponse>(`/v1/audit?target_id=${user.id}`, { token });
}
