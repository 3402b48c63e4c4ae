import { hasScope } from '@platform/guards';
import { TenantData, type Row } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { listExistingScopes } from '../../kernel/scopes/platform-scopes.js';
import type { PolicyRow } from './access-rules.js';
import type { App } from '../../apps/model/app.entity.js';

type Named = Pick<PolicyRow, 'required_scopes' | 'denied_roles' | 'denied_users'>;

/**
 * Checks that the scopes, roles and users of a rule exist. A mistyped role or user would let in
 * users that the rule should keep out, and a mistyped scope would keep out everyone. A scope exists
 * if the platform or an app defines it, if it was registered, or if a user or role of the tenant
 * has it.
 *
 * @throws ValidationFailed that names the unknown ones.
 */
export async function assertNamesExist(em: EntityManager, tenantId: string, named: Named): Promise<void> {
  const tenant = new TenantData(em, tenantId);
  const roles = await tenant.query<{ name: string }>(
    'SELECT name FROM roles WHERE tenant_id = $tenant AND name = ANY ($1)',
    [named.denied_roles],
  );
  const users = await tenant.query<{ id: string }>('SELECT id FROM users WHERE tenant_id = $tenant AND id = ANY ($1)', [
    named.denied_users,
  ]);
  const unknownScopes = await findUnknownScopes(tenant, named.required_scopes);
  const without = (all: readonly string[], there: readonly string[]) =>
    [...new Set(all)].filter((name) => !there.includes(name));
  const refused = [
    ...unknownScopes.map((scope) => refusal('required_scopes', `scope ${scope}, and no user of the tenant has it`)),
    ...without(
      named.denied_roles,
      roles.map(({ name }) => name),
    ).map((name) => refusal('denied_roles', `role ${name} in the tenant`)),
    ...without(
      named.denied_users,
      users.map(({ id }) => id),
    ).map((id) => refusal('denied_users', `user ${id} in the tenant`)),
  ];
  if (refused.length) throw new ValidationFailed(refused);
}

const refusal = (field: keyof Named, what: string) => ({
  loc: ['body', field],
  msg: `There is no ${what}`,
  type: 'value_error',
});

async function findUnknownScopes(tenant: TenantData, scopes: readonly string[]): Promise<string[]> {
  if (!scopes.length) return [];
  const named = [...new Set(scopes)].map((scope) => ({ scope, name: scope.replace('.', ':') }));
  const resources = named.map(({ name }) => name.split(':')[0] ?? '');
  const holding = [
    ...named.flatMap(({ name }) => [name, name.replace(':', '.')]),
    ...resources.flatMap((of) => [`${of}:*`, `${of}.*`]),
  ];
  const apps = await tenant.em.query<Row<App, 'appId'>[]>('SELECT app_id FROM apps WHERE app_id = ANY ($1)', [
    resources,
  ]);
  const registered = await tenant.query<{ name: string }>(
    'SELECT name FROM scopes WHERE (tenant_id IS NULL OR tenant_id = $tenant) AND resource = ANY ($1)',
    [resources],
  );
  const held = await tenant.query<{ scope: string }>(
    `SELECT scope FROM unnest($1::text[]) AS scope
     WHERE EXISTS (SELECT FROM users u WHERE u.tenant_id = $tenant AND u.scopes <> '{}' AND u.scopes @> ARRAY[scope])
       OR EXISTS (SELECT FROM roles r WHERE r.tenant_id = $tenant AND scope = ANY (r.default_scopes))`,
    [[...new Set(holding)]],
  );
  const there = listExistingScopes({
    registered: registered.map(({ name }) => name),
    apps: apps.map(({ app_id }) => app_id),
  });
  const isThere = (name: string) =>
    there.some((scope) => hasScope([name], scope)) ||
    hasScope(
      held.map(({ scope }) => scope),
      name,
    );
  return named.filter(({ name }) => !isThere(name)).map(({ scope }) => scope);
}
