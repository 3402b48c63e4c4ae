import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

export interface ReceivedMail {
  to: string;
  /** The `To` header as it came; the server shows domains in their own script. */
  writtenTo: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
}

/** A mail server that keeps what it receives, on a port of its own that stays the same when it is stopped and started again. */
export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  private server: SMTPServer | undefined;
  private port = 0;

  static async start(): Promise<SmtpSink> {
    const sink = new SmtpSink();
    await sink.start();
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
          this.receive(to, Buffer.concat(chunks)).then(() => done(), done);
        });
      },
    });
    server.on('error', () => undefined); // a client that went away
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.server.address() as { port: number }).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
    this.server = undefined;
  }

  /** The next mail to this address beyond the first `after`; waits for it. */
  mailTo(address: string, after = 0): Promise<ReceivedMail> {
    return until(() => this.mails.filter(({ to }) => to === address)[after]);
  }

  private async receive(to: string, content: Buffer): Promise<void> {
    const { subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(content);
    const writtenTo = /^To: (.*)$/im.exec(content.toString('latin1'))?.[1]?.trim() ?? '';
    this.mails.push({ to, writtenTo, subject, text, html, messageId });
  }
}
