import type { DataSource, EntityManager } from 'typeorm';

/** Role that owns the audit log. It cannot sign in. All databases of a server share it. */
export const AUDIT_OWNER = 'platform_audit';

const OWNED = `SELECT format('%I.%I', n.nspname, c.relname) AS name, pg_get_userbyid(c.relowner) AS owner
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'gateway_audit' AND c.relkind IN ('r', 'p')`;

export interface Protection {
  isProtected: boolean;
  /** Roles that can append to the log; empty if nothing was changed. */
  writers: string[];
  /** Reason if the log is not protected. */
  reason?: string;
}

/**
 * Moves the audit log to an owner role that cannot sign in. The roles of the services keep INSERT
 * on entries and seals, and SELECT. No other role has more: no UPDATE, DELETE or TRUNCATE, no way
 * to drop the tables or to disable their triggers. Safe to run again.
 *
 * The current role must be able to create roles, or administer `platform_audit`. Otherwise nothing
 * changes, `isProtected` is false and `reason` says why.
 *
 * @param writers additional roles of services. The current role and all roles with privileges on
 * the tables are always included.
 * @throws Error if one of the roles does not exist; nothing is changed then.
 */
export async function protectAudit(dataSource: DataSource, writers: readonly string[] = []): Promise<Protection> {
  await assertRoles(dataSource.manager, writers);
  if (!writers.length && (await isOwned(dataSource.manager)))
    return { isProtected: true, writers: await writersOf(dataSource.manager) };
  try {
    await dataSource.transaction((em) => handOver(em, writers));
    return { isProtected: true, writers: await writersOf(dataSource.manager) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== '42501') throw error; // insufficient_privilege
    return { isProtected: false, writers: [], reason: message };
  }
}

async function isOwned(em: EntityManager): Promise<boolean> {
  const [owned] = await em.query<{ all: boolean }[]>(
    `SELECT bool_and(owner = '${AUDIT_OWNER}') AS all FROM (${OWNED}) AS tables`,
  );
  return owned?.all ?? false;
}

async function handOver(em: EntityManager, more: readonly string[]): Promise<void> {
  await em.query(`
    DO $$
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${AUDIT_OWNER}') THEN
        CREATE ROLE ${AUDIT_OWNER} NOLOGIN;
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- made for another database at the same moment
    END
    $$`);
  const [me] = (await em.query<{ name: string; is_superuser: boolean }[]>(
    'SELECT current_user AS name, rolsuper AS is_superuser FROM pg_roles WHERE rolname = current_user',
  )) as [{ name: string; is_superuser: boolean }];
  const writers = await rolesOf(em, [...more, me.name]);
  if (!me.is_superuser) await em.query(`GRANT ${AUDIT_OWNER} TO CURRENT_USER`);
  await em.query(`
    DO $$
    DECLARE
      item text;
    BEGIN
      ALTER SCHEMA gateway_audit OWNER TO ${AUDIT_OWNER};
      FOR item IN SELECT name FROM (${OWNED}) AS tables WHERE owner <> '${AUDIT_OWNER}' LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO ${AUDIT_OWNER}', item);
      END LOOP;
      FOR item IN SELECT p.oid::regprocedure FROM pg_proc p WHERE pronamespace = 'gateway_audit'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO ${AUDIT_OWNER}', item);
      END LOOP;
    END
    $$;
    SET LOCAL ROLE ${AUDIT_OWNER};
    REVOKE ALL ON ALL TABLES IN SCHEMA gateway_audit FROM PUBLIC;
    REVOKE ALL ON SCHEMA gateway_audit FROM PUBLIC;
    -- As in the migration: a restore without privileges gives everybody all functions again.
    REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gateway_audit FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION gateway_audit.audit_hash(bytea, gateway_audit.audit_entries) TO PUBLIC;
    ${writers
      .map(
        (role) => `
          REVOKE ALL ON ALL TABLES IN SCHEMA gateway_audit FROM ${role};
          REVOKE ALL ON SCHEMA gateway_audit FROM ${role};
          GRANT USAGE ON SCHEMA gateway_audit TO ${role};
          GRANT SELECT ON ALL TABLES IN SCHEMA gateway_audit TO ${role};
          GRANT INSERT ON gateway_audit.audit_entries, gateway_audit.audit_seals TO ${role};
          GRANT EXECUTE ON FUNCTION gateway_audit.audit_create_partitions(integer) TO ${role};`,
      )
      .join('')}
    RESET ROLE`);
  if (!me.is_superuser) await em.query(`REVOKE ${AUDIT_OWNER} FROM CURRENT_USER`);
}

async function assertRoles(em: EntityManager, names: readonly string[]): Promise<void> {
  const missing = await em.query<{ name: string }[]>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)',
    [names],
  );
  if (missing.length) throw new Error(missing.map(({ name }) => `There is no role "${name}".`).join('\n'));
}

/** Lists the database roles with the INSERT privilege on the entries, without the owner. */
async function writersOf(em: EntityManager): Promise<string[]> {
  const rows = await em.query<{ role: string }[]>(
    `SELECT DISTINCT rolname AS role FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
     WHERE c.oid = 'gateway_audit.audit_entries'::regclass AND a.privilege_type = 'INSERT' AND rolname <> '${AUDIT_OWNER}' ORDER BY 1`,
  );
  return rows.map(({ role }) => role);
}

/**
 * Returns the quoted names of these database roles and of all roles with a privilege on the tables,
 * without the owner.
 */
async function rolesOf(em: EntityManager, names: readonly string[]): Promise<string[]> {
  const rows = await em.query<{ role: string }[]>(
    `SELECT DISTINCT quote_ident(rolname) AS role FROM pg_roles WHERE rolname <> '${AUDIT_OWNER}' AND (rolname = ANY ($1) OR oid IN (
       SELECT grantee FROM pg_class c, aclexplode(c.relacl) WHERE c.relnamespace = 'gateway_audit'::regnamespace))`,
    [names],
  );
  return rows.map(({ role }) => role);
}

/**
 * Lists the ways in which the current database role could change the audit log, one line each.
 * Empty if the role can only append.
 */
export async function findAuditWeaknesses(dataSource: DataSource): Promise<string[]> {
  if (!(await isOwned(dataSource.manager))) {
    return [
      `The audit log does not belong to ${AUDIT_OWNER}, so its owner can rewrite it. Run "npm run audit:protect"; see docs/organisation.md.`,
    ];
  }
  const [me] = (await dataSource.query<
    { name: string; is_superuser: boolean; can_become: boolean; can_change: boolean }[]
  >(
    `SELECT current_user AS name, rolsuper AS is_superuser,
       pg_has_role(current_user, '${AUDIT_OWNER}', 'MEMBER') OR pg_has_role(current_user, '${AUDIT_OWNER}', 'MEMBER WITH ADMIN OPTION')
         OR (rolcreaterole AND current_setting('server_version_num')::int < 160000) AS can_become,
       (SELECT bool_or(has_table_privilege(current_user, name, 'UPDATE, DELETE, TRUNCATE, TRIGGER')) FROM (${OWNED}) AS tables) AS can_change
     FROM pg_roles WHERE rolname = current_user`,
  )) as [{ name: string; is_superuser: boolean; can_become: boolean; can_change: boolean }];
  if (me.is_superuser)
    return [
      `The role "${me.name}" of DATABASE_URL is a superuser, so it can rewrite the audit log. Use a role without superuser rights.`,
    ];
  if (me.can_become || me.can_change)
    return [
      `The role "${me.name}" of DATABASE_URL can become ${AUDIT_OWNER} or change its tables. Use a role that can do neither.`,
    ];
  return [];
}
