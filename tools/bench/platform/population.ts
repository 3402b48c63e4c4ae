import { hash } from '@node-rs/argon2';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { generateApiKey } from '@platform/guards';
import { sha256 } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { ARGON2 } from '../../../apps/auth-gateway/src/identity/passwords/passwords.service.js';
import type { Size, Sizes } from './size.js';

const COUNTS: Sizes<{ users: number; deviceLogins: number }> = {
  full: { users: 4_000, deviceLogins: 5_000 },
  tiny: { users: 200, deviceLogins: 1_000 },
};
const SESSIONS_PER_USER = 5;
/** Number of API keys. The gateway reads each again every 5 s, as for busy keys. */
const API_KEYS = 50;

export interface Population {
  /** Addresses of confirmed users. All have the same password, because hashing takes time. */
  emails: string[];
  password: string;
  /** Live sessions that were never refreshed. */
  sessionIds: string[];
  apiKeys: string[];
  deviceLogins: DeviceLogin[];
}

/** A device login that no user has decided. */
export interface DeviceLogin {
  device_code: string;
  code_verifier: string;
}

/**
 * Inserts users and their sessions, with ids of real length, and a copy of the sessions for the
 * bare update.
 */
export async function populate(databaseUrl: string, size: Size): Promise<Population> {
  const { users, deviceLogins: logins } = COUNTS[size];
  const password = 'correct horse battery';
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query(
      `INSERT INTO gateway.users (id, tenant_id, email, email_canonical, password_hash, first_name, last_name)
       SELECT 'usr_' || lpad(n::text, 26, '0'), 'default', mail, mail, $1, 'Ada', 'Lovelace'
       FROM generate_series(1, ${users}) AS n, LATERAL (SELECT 'user' || n || '@example.com' AS mail) AS address`,
      [await hash(password, ARGON2)],
    );
    // Gives the users a plan without limits, because the bench makes more calls than the free plan
    // allows. So no user gets a plan during a measurement.
    await client.query(
      `INSERT INTO gateway.subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number,
         period_starts_at, period_ends_at)
       SELECT 'sub_' || substr(id, 5), tenant_id, id, 'enterprise', 1, 'active', now(), now(), 1, now(), now() + interval '1 month' FROM gateway.users`,
    );
    await client.query(
      `INSERT INTO gateway.sessions (id, user_id, surface, label, ip_address, user_agent, idle_expires_at, absolute_expires_at)
       SELECT 'ses_' || lpad(n::text, 26, '0'), 'usr_' || lpad((n % ${users} + 1)::text, 26, '0'), 'api', 'bench', '192.0.2.1', 'bench',
         now() + interval '30 days', now() + interval '180 days'
       FROM generate_series(1, ${users * SESSIONS_PER_USER}) AS n`,
    );
    const apiKeys = await insertApiKeys(client);
    const deviceLogins = await insertDeviceLogins(client, logins);
    await client.query('CREATE SCHEMA bench');
    await client.query('CREATE TABLE bench.sessions (LIKE gateway.sessions INCLUDING ALL) WITH (fillfactor = 70)');
    await client.query('INSERT INTO bench.sessions SELECT * FROM gateway.sessions');
    for (const table of [
      'gateway.users',
      'gateway.subscriptions',
      'gateway.sessions',
      'gateway.device_codes',
      'bench.sessions',
    ])
      await client.query(`VACUUM ANALYZE ${table}`);
    const emails = await client.query<{ email: string }>('SELECT email FROM gateway.users ORDER BY id');
    const sessions = await client.query<{ id: string }>('SELECT id FROM gateway.sessions ORDER BY id');
    return {
      emails: emails.rows.map(({ email }) => email),
      password,
      sessionIds: sessions.rows.map(({ id }) => id),
      apiKeys,
      deviceLogins,
    };
  } finally {
    await client.end();
  }
}

async function insertApiKeys(client: Client): Promise<string[]> {
  const keys = Array.from({ length: API_KEYS }, () => generateApiKey());
  await client.query(
    `INSERT INTO gateway.api_keys (id, user_id, lookup, secret_hash, name, scopes)
     SELECT 'key_' || n, 'usr_' || lpad(n::text, 26, '0'), lookup, secret_hash, 'bench', '{*}'
     FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS k (lookup, secret_hash, n)`,
    [keys.map(({ lookup }) => lookup), keys.map(({ secret }) => sha256(secret))],
  );
  return keys.map(({ key }) => key);
}

async function insertDeviceLogins(client: Client, count: number): Promise<DeviceLogin[]> {
  const code_verifier = newVerifier();
  const codes = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  await client.query(
    `INSERT INTO gateway.device_codes (device_hash, user_code_hash, code_challenge, ip_bucket, expires_at)
     SELECT hash, hash, $2, '192.0.2.1', now() + interval '1 day' FROM unnest($1::bytea[]) AS hash`,
    [codes.map((code) => sha256(code)), challengeOf(code_verifier)],
  );
  return codes.map((device_code) => ({ device_code, code_verifier }));
}
