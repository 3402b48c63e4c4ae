import { currentContext, newId } from '@platform/platform';
import type { TenantData } from '@platform/persistence';

/**
 * Updates the history of the scopes that are denied to a user, to match a new list: for scopes that
 * left the list, the denial is lifted; for new ones, it is added with the caller and the reason. It
 * does not change the list in `users`.
 */
export async function replaceDenials(
  tenant: TenantData,
  user: { id: string; denied_scopes: string[] },
  denied: readonly string[],
  reason: string | null,
): Promise<void> {
  const by = currentContext()?.actor?.id ?? 'platform';
  await tenant.query(
    `UPDATE scope_denials SET lifted_by = $3, lifted_at = now()
     WHERE tenant_id = $tenant AND user_id = $1 AND lifted_at IS NULL AND scope <> ALL ($2)`,
    [user.id, denied, by],
  );
  const added = [...new Set(denied)].filter((scope) => !user.denied_scopes.includes(scope));
  await tenant.query(
    `INSERT INTO scope_denials (id, tenant_id, user_id, scope, reason, denied_by)
     SELECT id, $tenant, $1, scope, $4, $5 FROM unnest($2::text[], $3::text[]) AS denied (id, scope)`,
    [user.id, added.map(() => newId('den')), added, reason, by],
  );
}
