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
export function isHopByHop(name: string, connection = ''): boolean {
  return (
    HOP_BY_HOP.has(name) ||
    connection
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(name)
  );
}
