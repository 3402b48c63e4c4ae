import { Client } from 'pg';
import { StartError } from './start-error.js';

const CONNECT_TIMEOUT_MS = 5_000;

const RIGHTS = `
  SELECT has_database_privilege(current_database(), 'CREATE') AS can_create,
         current_setting('transaction_read_only') = 'on' AS is_read_only`;

interface Rights {
  can_create: boolean;
  is_read_only: boolean;
}

/**
 * @throws StartError with a one-line reason if the database cannot be used; it never contains the
 *   password.
 */
export async function requireDatabase(url: string): Promise<void> {
  const address = parse(url);
  const refuse = (why: string) => new StartError(`DATABASE_URL cannot be used: ${why}`);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Rights>(RIGHTS);
    if (rows[0]?.is_read_only) throw refuse(`${address.server} is read-only. Use the URL of the primary server.`);
    if (!rows[0]?.can_create) {
      const { user, database } = address;
      throw refuse(
        `the user "${user}" may not create schemas. Run: GRANT CREATE ON DATABASE "${database}" TO "${user}"`,
      );
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw refuse(reason(error as ConnectionError, address));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** URL without the password, for the terminal. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}

interface Address {
  server: string;
  database: string;
  user: string;
}

function parse(url: string): Address {
  try {
    const { protocol, hostname, port, pathname, username } = new URL(url);
    const database = decodeURIComponent(pathname.slice(1));
    if (!['postgres:', 'postgresql:'].includes(protocol) || !hostname || !database) throw new TypeError('incomplete');
    return { server: `${hostname}:${port || 5432}`, database, user: decodeURIComponent(username) };
  } catch {
    throw new StartError(
      'DATABASE_URL is not a PostgreSQL address. Write it as postgres://user:password@host:port/database, with special characters percent-encoded.',
    );
  }
}

type ConnectionError = NodeJS.ErrnoException & { errors?: Error[] };

function reason({ code, message, errors }: ConnectionError, { server, database, user }: Address): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${server}. Start that PostgreSQL, or correct the host and port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${server} is unknown. Correct the host.`;
    case '28P01':
    case '28000':
      return `${server} refuses the user "${user}" (${message}). Correct the user and the password.`;
    case '3D000':
      return `there is no database "${database}" at ${server}. Create it, or correct the name.`;
    case '57P03':
    case '53300':
      return `${server} accepts no connection now (${message}). Try again.`;
    default:
      return `no connection to ${server} (${message || errors?.[0]?.message || 'no reason given'}). Correct it, or leave it out for the embedded PostgreSQL.`;
  }
}
