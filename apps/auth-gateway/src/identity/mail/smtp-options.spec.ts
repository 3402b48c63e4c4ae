import { SmtpSink, type SmtpSinkOptions } from '@platform/testing';
import { createTransport } from 'nodemailer';
import type { SmtpTls } from '../../smtp-config.js';
import { selfSigned } from '../../testing/self-signed-certificate.js';
import { findFailureCause, type SmtpError } from './smtp-errors.js';
import { smtpOptions } from './smtp-options.js';

/**
 * Sends a mail to a local server. Returns if it was encrypted, sent in clear text or refused, and
 * the reason.
 */
async function send(tls: SmtpTls, server: SmtpSinkOptions): Promise<string> {
  const sink = await SmtpSink.start(server);
  const transport = createTransport(smtpOptions(sink.url, tls));
  try {
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'x', text: 'x' });
    return sink.mails[0]?.isEncrypted ? 'encrypted' : 'clear';
  } catch (error) {
    return findFailureCause(error as SmtpError);
  } finally {
    transport.close();
    await sink.stop();
  }
}

const OWN_CERTIFICATE = { tls: selfSigned() };

it.each([
  ['auto', 'encrypted', 'clear'],
  ['required', 'server', 'server'],
  ['unverified', 'encrypted', 'clear'],
  ['off', 'clear', 'clear'],
] as const)('%s: with STARTTLS and a certificate of its own %s, without STARTTLS %s', async (tls, offered, plain) => {
  expect({ offered: await send(tls, OWN_CERTIFICATE), plain: await send(tls, {}) }).toEqual({ offered, plain });
});

it.each([
  ['smtp://127.0.0.1:25', false],
  ['smtp://127.1.2.3:25', false],
  ['smtp://[::1]:25', false],
  ['smtp://[::ffff:127.0.0.1]:25', false],
  ['smtp://localhost', false],
  ['smtps://user:p%40ss@mail.localhost:465', false],
  ['smtp://mail.example.com:587', true],
  ['smtp://localhost.example.com', true],
  ['smtp://127.0.0.1.example.com', true],
  ['smtp://10.0.0.1', true],
])('auto takes any certificate on this machine alone: %s', (url, rejectUnauthorized) => {
  expect(smtpOptions(url, 'auto')).toMatchObject({
    url,
    requireTLS: false,
    ignoreTLS: false,
    tls: { rejectUnauthorized },
  });
});

it.each([
  ['a mailbox that is not there', { recipient: '550 5.1.1 No such user' }, 'recipient'],
  ['a mailbox, without a reason', { recipient: '553 no' }, 'recipient'],
  ['a mailbox for now', { recipient: '452 4.2.2 Mailbox full' }, 'mail'],
  ['to relay', { recipient: '554 5.7.1 <b@example.com>: Relay access denied' }, 'server'],
  ['to relay for now', { recipient: '454 4.7.1 <b@example.com>: Relay access denied' }, 'server'],
  ['the sender', { sender: '550 5.1.8 <a@example.com>: Sender address rejected: Domain not found' }, 'server'],
  ['whoever has no TLS', { sender: '530 5.7.0 Must issue a STARTTLS command first' }, 'server'],
])('a server that refuses %s', async (_what, refuses, blame) => {
  expect(await send('auto', { refuses })).toBe(blame);
});

it('nobody listens', async () => {
  const transport = createTransport(smtpOptions('smtp://127.0.0.1:9', 'auto'));
  const error = await transport
    .sendMail({ from: 'a@example.com', to: 'b@example.com' })
    .catch((reason: unknown) => reason);
  expect(findFailureCause(error as SmtpError)).toBe('server');
});
