const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]); // RFC 9110 section 7.6.1

/**
 * True if a header, in lower case, is about one connection and not about the message, and so is not
 * forwarded.
 *
 * @param connection all values of the message's headers `Connection`, which name further such
 * headers.
 */
export const isHopByHop = (name: string, connection = ''): boolean =>
  HOP_BY_HOP.has(name) || isNamed(name, connection.toLowerCase());

/**
 * True if the list `connection` contains the name. Splits the list only if the text contains it,
 * because this runs for each header.
 */
const isNamed = (name: string, connection: string): boolean =>
  connection.includes(name) && connection.split(/[\s,]+/).includes(name);
