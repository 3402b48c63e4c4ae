import { DEFAULT_TENANT } from '@platform/contracts';
import { Client } from 'pg';

/** Number of rows that the rare filters match, for every table size. */
const RARE = 20;
/** Months over which the rows are spread, up to now. */
export const MONTHS = 12;

/**
 * Loads users and audit entries into a migrated database. Most are alike; a few that differ in
 * every field are spread among them.
 */
export async function fillTables(databaseUrl: string, rows: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // Turns triggers off. They would link each audit entry to the one before it, which is not
    // measured here.
    await client.query(
      "SET session_replication_role = 'replica'; SET search_path = gateway, public; SET maintenance_work_mem = '512MB'",
    );
    await client.query(
      `INSERT INTO roles (id, tenant_id, name, display_name, default_scopes) VALUES ('rol_auditor', '${DEFAULT_TENANT}', 'auditor', 'Auditor', '{audit:read}');
       UPDATE roles SET default_scopes = '{apps:read}' WHERE tenant_id = '${DEFAULT_TENANT}' AND name = 'user'`,
    );
    await withoutIndexes(client, 'users', () => insertUsers(client, rows));
    await createPartitions(client);
    await withoutIndexes(client, 'gateway_audit.audit_entries', () => insertAuditEntries(client, rows));
    for (const table of ['users', 'gateway_audit.audit_entries']) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

/**
 * Inserts with the indexes turned off (PostgreSQL does not update an index that is not ready), then
 * builds them. That takes a fraction of the time of updating them row by row.
 */
export async function withoutIndexes(client: Client, table: string, insert: () => Promise<unknown>): Promise<void> {
  await client.query(
    `UPDATE pg_index SET indisready = false
     WHERE indrelid = $1::regclass OR indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)`,
    [table],
  );
  await insert();
  await client.query(`REINDEX TABLE ${table}`);
}

const FIRST_NAMES =
  'Ada,Alan,Annie,Barbara,Claude,Dorothy,Edsger,Emmy,Frances,George,Grace,Hedy,Henrietta,Ida,Jean,John,Joan,Karen,Katherine,Lise,' +
  'Margaret,Maria,Mary,Niklaus,Radia,Rosalind,Sofia,Srinivasa,Tim,Vera';
const LAST_NAMES =
  'Allen,Bell,Boole,Borg,Cannon,Curie,Dijkstra,Easley,Franklin,Goldberg,Hamilton,Hopper,Johnson,Kilburn,Lamarr,Leavitt,Liskov,Lovelace,' +
  'Meitner,Mirzakhani,Noether,Perlman,Ramanujan,Rubin,Shannon,Sinclair,Spaerck,Turing,Vaughan,Wirth';

const insertUsers = (client: Client, rows: number): Promise<unknown> =>
  client.query(
    `INSERT INTO users (id, tenant_id, email, email_canonical, first_name, last_name, role, scopes, is_active, created_at)
     SELECT 'usr_' || lpad(n::text, 26, '0'), '${DEFAULT_TENANT}', mail, mail, first_name, last_name, CASE WHEN is_rare THEN 'auditor' ELSE 'user' END,
       CASE WHEN is_rare THEN '{audit:export}'::text[] ELSE '{}' END, NOT is_rare, ${timeOf('n', rows)}
     FROM ${numbered(rows)},
       LATERAL (SELECT split_part('${FIRST_NAMES}', ',', (hashint4(n) & 1023) % 30 + 1) AS first_name,
         CASE WHEN is_rare THEN 'Byron' ELSE split_part('${LAST_NAMES}', ',', (hashint4(-n) & 1023) % 30 + 1) END AS last_name) AS named,
       LATERAL (SELECT lower(first_name || '.' || last_name) || n || '@example.com' AS mail) AS address`,
  );

const insertAuditEntries = (client: Client, rows: number): Promise<unknown> =>
  client.query(
    `INSERT INTO gateway_audit.audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, created_at)
     SELECT 'aud_' || lpad(n::text, 26, '0'), '${DEFAULT_TENANT}', CASE WHEN is_rare THEN 'service' ELSE 'user' END,
       CASE WHEN is_rare THEN 'rare' ELSE 'common' END, CASE WHEN is_rare THEN 'role.updated' ELSE 'user.updated' END,
       CASE WHEN is_rare THEN 'role' ELSE 'user' END, CASE WHEN is_rare THEN 'rare' ELSE 'common' END, ${timeOf('n', rows)}
     FROM ${numbered(rows)}`,
  );

/** @param rows a multiple of RARE, at least eight times as large */
const numbered = (rows: number): string =>
  `generate_series(1, ${rows}) AS n, LATERAL (SELECT n % ${rows / RARE} = 7 AS is_rare) AS kind`;

const timeOf = (n: string, rows: number): string => `now() - (${rows} - ${n}) * interval '${MONTHS} months' / ${rows}`;

/** Creates the partitions of past months, as if the platform had run for that time. */
async function createPartitions(client: Client): Promise<void> {
  for (let ago = 1; ago <= MONTHS; ago++) {
    await client.query(
      `DO $$
       DECLARE first timestamptz := date_trunc('month', now(), 'UTC') - interval '${ago} months';
       BEGIN
         EXECUTE format('CREATE TABLE gateway_audit.%I PARTITION OF gateway_audit.audit_entries FOR VALUES FROM (%L) TO (%L)',
           to_char(first, '"audit_entries_"YYYY_MM'), first, first + interval '1 month');
       END $$`,
    );
  }
}
