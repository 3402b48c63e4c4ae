import type { ListUsersQuery, UserDetailResponse } from '@platform/contracts';
import { columns, type Row, type RowOf, type TenantData } from '@platform/persistence';
import type { Role } from '../../identity/accounts/role.entity.js';
import { User } from '../../identity/accounts/user.entity.js';
import { countTotal, type Total } from '../../kernel/paging/total.js';
import {
  getEffectiveScopes,
  KNOWN_SCOPES,
  ROLE_COLUMNS,
  type UserRights,
} from '../../identity/sessions/signed-in-account.js';

const USER_COLUMNS = columns(
  User,
  [
    'id',
    'tenantId',
    'email',
    'firstName',
    'lastName',
    'agencyId',
    'role',
    'scopes',
    'deniedScopes',
    'attributes',
    'isActive',
    'authMethod',
    'createdAt',
    'lastLoginAt',
  ],
  'u',
);
/** Columns of the list and of a single user, from `users u` and `roles r`. */
const COLUMNS = `${USER_COLUMNS}, ${ROLE_COLUMNS}, ${KNOWN_SCOPES}`;
const JOIN_ROLE = 'JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role';
/** Expression of the index `users_folded_idx`. */
const SEARCHED = "folded(' ' || u.email || ' ' || coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, ''))";
/**
 * Matches of a search that are counted beyond the page, at most. Each counted match must be read.
 */
const SEARCHED_AHEAD = 10;
/**
 * Minimum letters of a search for any part of a word. The index has groups of three characters; for
 * two letters the space before the word is the third.
 */
const SHORTEST_PART = 3;

export type UserRow = RowOf<typeof USER_COLUMNS> & UserRights;

/**
 * Reads a user of the tenant with their rights. Null if the tenant has no such user, or the account
 * was deleted.
 *
 * @param lock true locks the row until the transaction ends.
 */
export async function findUser(tenant: TenantData, id: string, lock = false): Promise<UserRow | null> {
  const [row] = await tenant.query<UserRow>(
    `SELECT ${COLUMNS} FROM users u ${JOIN_ROLE} WHERE u.tenant_id = $tenant AND u.id = $1 AND u.erased_at IS NULL ${lock ? 'FOR UPDATE OF u' : ''}`,
    [id],
  );
  return row ?? null;
}

export interface UserPage extends Total {
  rows: UserRow[];
}

/**
 * Reads a page of the tenant's users that match the query, newest first, with the number of all
 * matches. If `isExact` is false, there are more than `total`.
 */
export async function listUsers(tenant: TenantData, query: ListUsersQuery): Promise<UserPage> {
  const { limit, offset, search } = query;
  const { conditions, values } = filters(query, query.scope ? await rolesWith(tenant, query.scope) : []);
  const matches =
    `FROM users u WHERE u.tenant_id = $tenant ${conditions} ORDER BY u.created_at DESC, u.id DESC` as const;
  const most = limit + (search ? SEARCHED_AHEAD : 0);
  // The CTE reads skipped rows from the index only.
  const rows = await tenant.query<UserRow & { found: number }>(
    `WITH found AS MATERIALIZED (SELECT u.id, u.created_at ${matches} LIMIT ${most + 1} OFFSET ${offset})
     SELECT ${COLUMNS}, (SELECT count(*)::int FROM found) AS found
     FROM (SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT ${limit}) AS page JOIN users u ON u.id = page.id ${JOIN_ROLE}
     ORDER BY u.created_at DESC, u.id DESC`,
    values,
  );
  const [first] = rows;
  if (search && first) return { rows, total: offset + Math.min(first.found, most), isExact: first.found <= most };
  return { rows, ...(await countTotal(tenant, { matches, values }, { rows, offset, limit })) };
}

/**
 * Returns the names of the tenant's roles that grant a scope. They are few; a separate query lets
 * the planner estimate the number of their users.
 */
async function rolesWith(tenant: TenantData, scope: string): Promise<string[]> {
  const roles = await tenant.query<Row<Role, 'name'>>(
    'SELECT name FROM roles WHERE tenant_id = $tenant AND default_scopes && $1::text[]',
    [grantsOf(scope)],
  );
  return roles.map(({ name }) => name);
}

function filters(
  { role, include_inactive, search, scope, is_active }: ListUsersQuery,
  rolesWithScope: string[],
): { conditions: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions = ['u.erased_at IS NULL'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (role !== undefined) add((parameter) => `u.role = ${parameter}`, role);
  if (is_active !== undefined) add((parameter) => `u.is_active = ${parameter}`, is_active);
  else if (!include_inactive) conditions.push('u.is_active');
  if (search) add((parameter) => `${SEARCHED} LIKE ${patternOf(search, parameter)}`, search);
  if (scope) {
    values.push(grantsOf(scope), rolesWithScope);
    // The index contains only users with own scopes; the condition lets the planner use it.
    conditions.push(
      `(u.scopes <> '{}' AND u.scopes && $${values.length - 1}::text[] OR u.role = ANY ($${values.length}::text[]))`,
    );
  }
  return { conditions: conditions.map((condition) => `AND ${condition}`).join(' '), values };
}

/**
 * Makes the SQL pattern of a search text. It matches any part of the address and the name; a search
 * with fewer than three letters matches only the beginning of a word. PostgreSQL folds the search
 * text like the searched text and escapes it afterwards, because folding can create `%` (from `％`).
 */
function patternOf(search: string, parameter: string): string {
  const isBeginning = lettersOf(search) < SHORTEST_PART && /[\p{L}\p{N}]/u.test(search);
  return `'${isBeginning ? '% ' : '%'}' || regexp_replace(folded(${parameter}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`;
}

const lettersOf = (text: string): number => Array.from(text.normalize('NFC')).length;

/**
 * Lists all grants that contain a scope, such as `*` and `users:*`, spelled with a colon and with a
 * dot.
 */
function grantsOf(scope: string): string[] {
  const [resource = ''] = scope.split(/[:.]/);
  return ['*', `${resource}:*`, `${resource}.*`, scope.replace('.', ':'), scope.replace(':', '.')];
}

/**
 * Makes the answer about a user. It lists the public fields explicitly, so that a new column stays
 * private until it is added here.
 */
export const toUserDetailResponse = (row: UserRow): UserDetailResponse => ({
  id: row.id,
  platform_id: row.id,
  email: row.email,
  email_verified: true,
  first_name: row.first_name,
  last_name: row.last_name,
  tenant_id: row.tenant_id,
  agency_id: row.agency_id,
  role: row.role,
  scopes: row.scopes,
  denied_scopes: row.denied_scopes,
  effective_scopes: getEffectiveScopes(row),
  attributes: row.attributes,
  is_active: row.is_active,
  auth_method: row.auth_method,
  created_at: row.created_at,
  last_login: row.last_login_at,
});
