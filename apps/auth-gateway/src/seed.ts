import { seedPlans } from '@platform/billing';
import { ADMIN_ROLE, DEFAULT_TENANT, emailAddress } from '@platform/contracts';
import { Outbox, TenantData } from '@platform/persistence';
import { ValidationFailed, type Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { createAccount } from './identity/registration/create-account.js';
import { setAuditKeyring } from './kernel/audit/audit-keys.js';
import { seedScopes } from './organisation/scopes/system-scopes.js';
import { seedSystemApps } from './extensions/system-apps/system-apps.worker.js';
import { PasswordPolicy } from './identity/passwords/password.policy.js';
import { PasswordsService } from './identity/passwords/passwords.service.js';
import { createSystemRoles } from './organisation/roles/system-roles.js';

export interface Administrator {
  email: string;
  password: string;
  /** The gateway's `PASSWORD_MIN_LENGTH`. */
  passwordMinLength: number;
}

/** The requested administrator cannot be created; `message` says why. */
export class AdministratorRefused extends Error {
  override name = 'AdministratorRefused';
}

/**
 * Creates the data that every platform needs: the tenant `default`, its roles, the scopes of the
 * platform, the system apps, the plans and the administrator, if one is given. Existing rows are
 * not changed, so it can run at every start. It deletes only scopes that tenants registered for a
 * resource that the platform uses now.
 *
 * @param administrator ignored if the tenant `default` has a user with this address.
 * @param keyring `SECRET_KEYS` of the gateway, which sign audit entries. Null: the entries are not
 * signed.
 * @throws AdministratorRefused if the administrator's e-mail address is malformed or the password
 * is too weak.
 */
export async function seed(
  dataSource: DataSource,
  administrator?: Administrator,
  keyring: Keyring | null = null,
): Promise<void> {
  setAuditKeyring(dataSource, keyring);
  await dataSource.query('INSERT INTO tenants (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    DEFAULT_TENANT,
    'Default',
  ]);
  await createSystemRoles(new TenantData(dataSource.manager, DEFAULT_TENANT));
  await seedScopes(dataSource);
  await seedSystemApps(dataSource);
  await seedPlans(dataSource);
  if (administrator) await seedAdministrator(dataSource, administrator);
}

/**
 * Creates the administrator. Does nothing if a user with this address exists; then the password is
 * not checked.
 *
 * @throws AdministratorRefused if the e-mail address is malformed or the password is too weak.
 */
async function seedAdministrator(
  dataSource: DataSource,
  { email: text, password, passwordMinLength }: Administrator,
): Promise<void> {
  const email = emailAddress(text);
  if (!email) throw new AdministratorRefused("The administrator's e-mail address is not valid.");
  const [existing] = await dataSource.query<unknown[]>(
    'SELECT 1 FROM users WHERE tenant_id = $1 AND email_canonical = $2',
    [DEFAULT_TENANT, email],
  );
  if (existing) return;
  await assertGoodPassword(password, email, passwordMinLength);
  const passwordHash = await new PasswordsService().hashPassword(password);
  const outbox = new Outbox(dataSource);
  await outbox.transaction((em) =>
    createAccount(em, outbox, { tenantId: DEFAULT_TENANT, email, passwordHash, role: ADMIN_ROLE }),
  );
}

async function assertGoodPassword(password: string, email: string, PASSWORD_MIN_LENGTH: number): Promise<void> {
  try {
    await new PasswordPolicy({ PASSWORD_MIN_LENGTH }).assertPasswordAllowed(password, {
      field: 'password',
      email,
      tenantId: DEFAULT_TENANT,
    });
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    throw new AdministratorRefused(
      `The administrator's password is refused: ${error.issues.map(({ msg }) => msg).join('. ')}.`,
    );
  }
}
