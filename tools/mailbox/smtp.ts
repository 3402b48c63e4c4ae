import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope } from 'smtp-server';
import type { Message } from './message-store.js';

const MAXIMUM_BYTES = 1024 * 1024;

/**
 * SMTP server that accepts every mail and passes it to `receive`. It requires neither a login nor
 * TLS, so let it listen only on a loopback address.
 */
export function createSmtpServer(receive: (message: Message) => void): SMTPServer {
  return new SMTPServer({
    banner: 'local mailbox, delivers nothing',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAXIMUM_BYTES,
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      read(stream)
        .then((raw) => toMessage(raw, envelope))
        .then(receive)
        .then(() => done(), done);
    },
  });
}

async function read(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAXIMUM_BYTES) chunks.push(chunk);
  }
  if (size > MAXIMUM_BYTES)
    throw Object.assign(new Error(`The message is larger than ${MAXIMUM_BYTES} bytes`), { responseCode: 552 });
  return Buffer.concat(chunks);
}

/** Takes the recipients from the envelope, because the headers do not contain Bcc. */
async function toMessage(raw: Buffer, envelope: SMTPServerEnvelope): Promise<Message> {
  const mail = await PostalMime.parse(raw);
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  return {
    id: randomUUID(),
    to: envelope.rcptTo.map(({ address }) => address).join(', '),
    from: mail.from?.address ?? sender,
    subject: mail.subject ?? '',
    // Removes the line end that the transport adds.
    text: mail.text?.trimEnd() ?? null,
    html: mail.html?.trimEnd() ?? null,
    received_at: new Date().toISOString(),
  };
}
