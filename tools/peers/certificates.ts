import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  /** Certificate of our own certificate authority, for NODE_EXTRA_CA_CERTS. */
  authority: string;
  /** Certificate for localhost and 127.0.0.1, issued by the authority. */
  cert: string;
  key: string;
  /** Certificate and key in one file, for HAProxy. */
  both: string;
  /** Self-signed certificate for another host name, like Debian's `ssl-cert-snakeoil`. */
  ownCert: string;
  ownKey: string;
}

/** @throws Error with openssl's message if it fails. */
export function makeCertificates(folder: string): Certificates {
  const file = (name: string) => join(folder, name);
  const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, { stdio: 'pipe' });
  const selfSigned = (name: string, key: string, cert: string) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      key,
      '-out',
      cert,
    );
  const [authorityKey, authority, key, request, cert] = [
    'authority.key',
    'authority.pem',
    'server.key',
    'server.csr',
    'server.pem',
  ].map(file) as [string, string, string, string, string];
  selfSigned('authority of npm run peers', authorityKey, authority);
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', request);
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const issuer = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial'];
  openssl('x509', '-req', '-in', request, ...issuer, '-days', '2', '-extfile', file('names'), '-out', cert);
  copyFileSync(cert, file('both.pem'));
  appendFileSync(file('both.pem'), readFileSync(key));
  selfSigned('mail.example', file('own.key'), file('own.pem'));
  for (const name of ['server.key', 'own.key', 'authority.key', 'both.pem']) chmodSync(file(name), 0o600);
  return { authority, cert, key, both: file('both.pem'), ownCert: file('own.pem'), ownKey: file('own.key') };
}
