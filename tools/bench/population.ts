import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { ARGON2 } from '../../apps/auth-gateway/src/passwords/passwords.service.js';

const USERS = 4_000;
const SESSIONS_PER_USER = 5;

export interface Population {
  /** The addresses of confirmed users, who all have the same password: making its hash is what takes time. */
  emails: string[];
  password: string;
  /** Live sessions that were never refreshed. */
  sessionIds: string[];
}

/** People and their sessions, with ids as long as the real ones; and the table of the bare update, a copy of the sessions. */
export async function populate(databaseUrl: string): Promise<Population> {
  const password = 'correct horse battery';
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query(
      `INSERT INTO gateway.users (id, tenant_id, email, email_canonical, password_hash, first_name, last_name, email_verified_at)
       SELECT 'usr_' || lpad(n::text, 26, '0'), 'default', mail, mail, $1, 'Ada', 'Lovelace', now()
       FROM generate_series(1, ${USERS}) AS n, LATERAL (SELECT 'user' || n || '@example.com' AS mail) AS address`,
      [await hash(password, ARGON2)],
    );
    await client.query(
      `INSERT INTO gateway.sessions (id, user_id, surface, label, ip_address, ip_bucket, user_agent, idle_expires_at, absolute_expires_at)
       SELECT 'ses_' || lpad(n::text, 26, '0'), 'usr_' || lpad((n % ${USERS} + 1)::text, 26, '0'), 'api', 'bench', '192.0.2.1', '192.0.2.1', 'bench',
         now() + interval '30 days', now() + interval '180 days'
       FROM generate_series(1, ${USERS * SESSIONS_PER_USER}) AS n`,
    );
    await client.query('CREATE SCHEMA bench');
    await client.query('CREATE TABLE bench.sessions (LIKE gateway.sessions INCLUDING ALL) WITH (fillfactor = 70)');
    await client.query('INSERT INTO bench.sessions SELECT * FROM gateway.sessions');
    for (const table of ['gateway.users', 'gateway.sessions', 'bench.sessions']) await client.query(`VACUUM ANALYZE ${table}`);
    const emails = await client.query<{ email: string }>('SELECT email FROM gateway.users ORDER BY id');
    const sessions = await client.query<{ id: string }>('SELECT id FROM gateway.sessions ORDER BY id');
    return { emails: emails.rows.map(({ email }) => email), password, sessionIds: sessions.rows.map(({ id }) => id) };
  } finally {
    await client.end();
  }
}
