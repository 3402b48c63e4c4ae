import { AppError } from '../errors.js';

const PROTOCOLS: { begins: Buffer; error: () => AppError }[] = [
  { begins: Buffer.from('PROXY '), error: () => OtherProtocolErrors.proxyProtocol() },
  { begins: Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), error: () => OtherProtocolErrors.proxyProtocol() }, // version 2
  { begins: Buffer.from([0x16, 0x03]), error: () => OtherProtocolErrors.tls() }, // a handshake: RFC 8446 section 5.1
  { begins: Buffer.from('PRI * HTTP/2.0\r\n'), error: () => OtherProtocolErrors.http2() }, // RFC 9113 section 3.4
];

/**
 * The error for a connection that begins with the PROXY protocol, TLS or HTTP/2 instead of
 * HTTP/1.1; undefined for anything else.
 *
 * @param packet the first packet of the connection
 */
export const otherProtocolError = (packet: Buffer | undefined): AppError | undefined =>
  packet && PROTOCOLS.find(({ begins }) => packet.subarray(0, begins.length).equals(begins))?.error();

const OtherProtocolErrors = {
  proxyProtocol: () =>
    new AppError(
      400,
      'proxy_protocol',
      'This port does not take the PROXY protocol. Have the proxy in front send X-Forwarded-For instead.',
    ),
  tls: () => new AppError(400, 'tls_to_http', 'This port takes no TLS. Have the proxy in front speak http to it.'),
  http2: () =>
    new AppError(505, 'http_version', 'This port does not take HTTP/2. Have the proxy in front speak HTTP/1.1 to it.'),
};
