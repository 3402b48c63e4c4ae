import type { DataSource } from 'typeorm';

const RESOURCES = { users: 'users', roles: 'roles', scopes: 'scopes', tenants: 'tenants', agencies: 'agencies' };
const ACTIONS = { read: 'See', write: 'Create and change' };

/** What the platform's own routes ask for. */
const SYSTEM_SCOPES = Object.entries(RESOURCES).flatMap(([resource, shown]) =>
  Object.entries(ACTIONS).map(([action, verb]) => ({ resource, action, displayName: `${verb} ${shown}` })),
);

/** Puts in what is missing. */
export async function seedScopes(dataSource: DataSource): Promise<void> {
  for (const { resource, action, displayName } of SYSTEM_SCOPES) {
    await dataSource.query(
      `INSERT INTO scopes (name, resource, action, display_name, source, is_system) VALUES ($1 || ':' || $2, $1, $2, $3, 'platform', true)
       ON CONFLICT DO NOTHING`,
      [resource, action, displayName],
    );
  }
}
