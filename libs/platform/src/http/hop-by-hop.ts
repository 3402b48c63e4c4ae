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

/** Whether a header, in lower case, is about one connection and not about the message; `connection` are all such headers of the message. */
export const isHopByHop = (name: string, connection = ''): boolean => HOP_BY_HOP.has(name) || isNamed(name, connection.toLowerCase());

/** The list is split only where the name is somewhere in it: this is asked for each header. */
const isNamed = (name: string, connection: string): boolean => connection.includes(name) && connection.split(/[\s,]+/).includes(name);
