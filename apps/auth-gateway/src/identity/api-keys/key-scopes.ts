import { KEY_SCOPES } from '@platform/contracts';
import { hasScope, type UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { listExistingScopes } from '../../kernel/scopes/platform-scopes.js';
import type { App } from '../../apps/model/app.entity.js';
import type { Scope } from '../../organisation/scopes/scope.entity.js';

/**
 * Checks that an API key can get these scopes: `*`, scopes for the owner's own data, calls of
 * existing apps, and scopes that the owner holds. A wildcard such as `users:*` must match at least
 * one of them. When the key is used, a wildcard is cut to the scopes that the owner holds then.
 *
 * @throws ValidationFailed that names the refused scopes.
 */
export async function assertKeyScopesAllowed(
  em: EntityManager,
  { tenantId, scopes: held }: UserCaller,
  asked: readonly string[],
): Promise<void> {
  const named = asked.filter((scope) => scope !== '*').map((scope) => ({ scope, name: scope.replace('.', ':') }));
  if (!named.length) return;
  const resources = named.map(({ name }) => resourceOf(name));
  const apps = await em.query<Row<App, 'appId'>[]>('SELECT app_id FROM apps WHERE app_id = ANY ($1)', [resources]);
  const registered = await em.query<Row<Scope, 'name'>[]>(
    'SELECT name FROM scopes WHERE (tenant_id IS NULL OR tenant_id = $1) AND resource = ANY ($2)',
    [tenantId, resources],
  );
  const everybodys = [...Object.keys(KEY_SCOPES), ...apps.map(({ app_id }) => `${app_id}:call`)];
  const others = [
    ...listExistingScopes({ registered: registered.map(({ name }) => name), apps: apps.map(({ app_id }) => app_id) }),
    // The caller knows the names of scopes that they hold, so these names are no secret.
    ...held.map((scope) => scope.replace('.', ':')),
  ].filter((scope) => hasScope(held, scope));
  const givable = [...everybodys, ...others];
  const refused = named.filter(({ name }) => !givable.some((scope) => scope === name || hasScope([name], scope)));
  if (!refused.length) return;
  throw new ValidationFailed(
    refused.map(({ scope }) => ({
      loc: ['body', 'scopes'],
      msg: `There is no scope ${scope}, or you do not hold it yourself`,
      type: 'value_error',
    })),
  );
}

const resourceOf = (scope: string): string => scope.split(':')[0] ?? '';
