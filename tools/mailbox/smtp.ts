import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope } from 'smtp-server';
import type { Message } from './message-store.js';

const MAXIMUM_BYTES = 1024 * 1024;

/** Takes every mail that it is offered and hands it to `receive`. It wants neither a login nor TLS, so it belongs on a loopback address only. */
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
  if (size > MAXIMUM_BYTES) throw Object.assign(new Error(`The message is larger than ${MAXIMUM_BYTES} bytes`), { responseCode: 552 });
  return Buffer.concat(chunks);
}

/** The recipients are those of the envelope: they alone say who got it, the headers leave out a Bcc. */
async function toMessage(raw: Buffer, envelope: SMTPServerEnvelope): Promise<Message> {
  const mail = await PostalMime.parse(raw);
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  return {
    id: randomUUID(),
    to: envelope.rcptTo.map(({ address }) => address).join(', '),
    from: mail.from?.address ?? sender,
    subject: mail.subject ?? '',
    // Without the line end that the transport adds.
    text: mail.text?.trimEnd() ?? null,
    html: mail.html?.trimEnd() ?? null,
    received_at: new Date().toISOString(),
  };
}
