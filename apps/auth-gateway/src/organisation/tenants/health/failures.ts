const OF_THE_NETWORK: Record<string, string> = {
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ECONNREFUSED: 'The host refuses connections to the port.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The host cannot be reached.',
  ECONNRESET: 'The host broke the connection off.',
};

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const OF_POSTGRESQL: Record<string, string> = {
  '28000': 'The server lets this user in not at all, or not from here.',
  '28P01': 'The server refuses the user or the password.',
  '3D000': 'The server has no such database.',
  '42501': 'The user may not connect to the database.',
  '53300': 'The server has no connection left.',
  '57P03': 'The server is starting or stopping.',
};

/**
 * Why a database cannot be used, in words of our own: what drivers and servers say names hosts, users and more that is nobody else's
 * business.
 */
export function describeFailure(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'The host does not answer as the database server that it should be.';
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && !(code in OF_THE_NETWORK);
  const known = OF_THE_NETWORK[code] ?? OF_POSTGRESQL[code];
  return known ?? (isSqlState ? `The server refuses with SQLSTATE ${code}.` : 'The connection failed.');
}
