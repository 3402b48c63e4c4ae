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
 * True if a header, in lower case, is about one connection and not about the message. `connection`:
 * all values of the message's headers `Connection`.
 */
export const isHopByHop = (name: string, connection = ''): boolean => HOP_BY_HOP.has(name) || isNamed(name, connection.toLowerCase());

/** Splits the list only if it contains the name, because this runs for each header. */
const isNamed = (name: string, connection: string): boolean => connection.includes(name) && connection.split(/[\s,]+/).includes(name);
