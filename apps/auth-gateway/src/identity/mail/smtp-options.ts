import { canonicalIpAddress } from '@platform/contracts';
import type { SmtpTls } from '../../smtp-config.js';

/**
 * Makes the options for nodemailer from the address of the mail server and the TLS mode. nodemailer
 * uses STARTTLS if the server offers it, unless `ignoreTLS` is set. `smtps` uses TLS from the first
 * byte.
 *
 * - `auto`: TLS if the server offers it. The certificate must be trusted, except for a server on
 *   this machine: these usually have a self-signed certificate, and nobody can intercept the
 *   connection.
 * - `required`: no mail without TLS and a trusted certificate.
 * - `unverified`: TLS if the server offers it, with any certificate.
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
