import { Socket } from 'node:net';
import { Client } from 'pg';
import type { TenantDatabase } from '../databases/tenant-databases.service.js';

/** Message of `pg` if the server refuses TLS. */
const NO_TLS = 'The server does not support SSL connections';

/**
 * Signs in to the database and runs a query. Uses TLS if the server supports it, without a check of
 * the certificate, like `sslmode=prefer` of libpq. Returns a sentence about the success.
 *
 * @throws the error of the driver or of the system, also if `deadline` aborts.
 */
export async function checkPostgresql(database: TenantDatabase, deadline: AbortSignal): Promise<string> {
  try {
    await signIn(database, deadline, true);
    return 'Signed in to PostgreSQL and ran a query, over TLS; the certificate was not checked.';
  } catch (error) {
    if ((error as Error).message !== NO_TLS) throw error;
    await signIn(database, deadline, false);
    return 'Signed in to PostgreSQL and ran a query, without TLS.';
  }
}

async function signIn(
  { host, port, database, username, password }: TenantDatabase,
  signal: AbortSignal,
  tls: boolean,
): Promise<void> {
  const socket = new Socket({ signal });
  const ssl = tls && { rejectUnauthorized: false };
  const client = new Client({
    host,
    port,
    database,
    user: username,
    password,
    ssl,
    stream: () => socket,
    application_name: 'health',
  });
  client.on('error', () => undefined); // errors during the wait also reject the promise
  try {
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
  } finally {
    socket.destroy();
  }
}
