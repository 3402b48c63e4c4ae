import { canonicalIpAddress } from '@platform/contracts';
import type { SmtpTls } from '../../smtp-config.js';

/**
 * Options of nodemailer, which begins TLS by STARTTLS wherever the server offers it, unless `ignoreTLS`. With `smtps` there is TLS from the first byte.
 *
 * - `auto`: TLS where it is offered. The certificate has to be trusted, but for a server on this machine: mail servers have one of their own there, and
 *   nobody else is on the way.
 * - `required`: no mail without TLS and a trusted certificate.
 * - `unverified`: TLS where it is offered, with any certificate.
 * - `off`: no STARTTLS.
 */
export function smtpOptions(url: string, tls: SmtpTls) {
  const { hostname } = new URL(url);
  const isVerified = tls === 'required' || (tls === 'auto' && !isLoopback(hostname));
  return { url, requireTLS: tls === 'required', ignoreTLS: tls === 'off', tls: { rejectUnauthorized: isVerified } };
}

function isLoopback(host: string): boolean {
  const address = canonicalIpAddress(host);
  return address === null ? /^(?:.+\.)?localhost\.?$/i.test(host) : address === '::1' || address.startsWith('127.');
}
