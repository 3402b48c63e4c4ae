const OF_THE_NETWORK: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist. Check the host.',
  EAI_AGAIN: 'The DNS lookup of the host name failed. Try again later.',
  ECONNREFUSED: 'The host refused the connection. Check the port.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The host cannot be reached.',
  ECONNRESET: 'The host closed the connection.',
};

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const OF_POSTGRESQL: Record<string, string> = {
  '28000': 'The server does not allow this user to connect from this address.',
  '28P01': 'The user name or the password is wrong.',
  '3D000': 'The database does not exist on the server.',
  '42501': 'The user has no permission to connect to the database.',
  '53300': 'The server has reached its maximum number of connections.',
  '57P03': 'The server is starting or stopping.',
};

/**
 * Returns a sentence about why a database cannot be used, in our own words: messages of drivers and
 * servers contain hosts, users and other private details.
 */
export function describeFailure(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'The host did not answer like a PostgreSQL server. Check the host and the port.';
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && !(code in OF_THE_NETWORK);
  const known = OF_THE_NETWORK[code] ?? OF_POSTGRESQL[code];
  return known ?? (isSqlState ? `The server refused the connection with SQLSTATE ${code}.` : 'The connection failed.');
}
