import { newId } from '@platform/platform';
import { DEFAULT_TENANT } from '@platform/contracts';
import type { DataSource } from 'typeorm';
import { Passwords } from './passwords/passwords.service.js';
import { canonicalEmail } from './users/email.js';

const SYSTEM_ROLES = [
  { name: 'admin', displayName: 'Administrator', scopes: ['*'] },
  { name: 'user', displayName: 'User', scopes: [] },
];

export interface Administrator {
  email: string;
  password: string;
}

/** Puts in what a platform cannot start without. What is there already is left as it is, so it may run at every start. */
export async function seed(dataSource: DataSource, administrator?: Administrator): Promise<void> {
  await dataSource.query('INSERT INTO tenants (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [DEFAULT_TENANT, 'Default']);
  for (const { name, displayName, scopes } of SYSTEM_ROLES) {
    await dataSource.query(
      `INSERT INTO roles (id, tenant_id, name, display_name, default_scopes, is_system) VALUES ($1, $2, $3, $4, $5, true)
       ON CONFLICT (tenant_id, name) DO NOTHING`,
      [newId('rol'), DEFAULT_TENANT, name, displayName, scopes],
    );
  }
  if (administrator) await seedAdministrator(dataSource, administrator);
}

async function seedAdministrator(dataSource: DataSource, { email, password }: Administrator): Promise<void> {
  const [existing] = await dataSource.query<unknown[]>('SELECT 1 FROM users WHERE tenant_id = $1 AND email_canonical = $2', [
    DEFAULT_TENANT,
    canonicalEmail(email),
  ]);
  if (existing) return;
  const passwordHash = await new Passwords().hash(password);
  await dataSource.query(
    `INSERT INTO users (id, tenant_id, email, email_canonical, password_hash, role, email_verified_at) VALUES ($1, $2, $3, $4, $5, 'admin', now())
     ON CONFLICT DO NOTHING`,
    [newId('usr'), DEFAULT_TENANT, email, canonicalEmail(email), passwordHash],
  );
}
