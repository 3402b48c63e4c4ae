import { DEFAULT_TENANT } from '@platform/contracts';
import { Client } from 'pg';
import { withoutIndexes } from '../lists/growth-tables.js';

/** Number of users; the events belong to them in turn. */
export const USERS = 1_000;
export const userAt = (position: number): string => `usr_${String(position % USERS).padStart(26, '0')}`;

/** Loads events of the last hour, already with positions, into a migrated database. */
export async function fillEvents(databaseUrl: string, rows: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // Turns off foreign keys, because the users do not exist and the measured reads do not need
    // them.
    await client.query(
      "SET session_replication_role = 'replica'; SET search_path = gateway, public; SET maintenance_work_mem = '512MB'",
    );
    await withoutIndexes(client, 'platform_events', () =>
      client.query(
        `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at, created_at, position)
         SELECT gen_random_uuid(), $1, 'usr_' || lpad((n % $3)::text, 26, '0'), 'system', 'platform', 'system.tested', payload, octet_length(payload::text), 0, now(),
           now() - (($2 - n) * 36e5 / $2) * interval '1 ms', nextval('platform_events_position_seq')
         FROM generate_series(1, $2::int) AS n, jsonb_build_object('n', n, 'text', 'Something has happened that concerns you.') AS payload`,
        [DEFAULT_TENANT, rows, USERS],
      ),
    );
    await client.query('VACUUM ANALYZE platform_events');
  } finally {
    await client.end();
  }
}
