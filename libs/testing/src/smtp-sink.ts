import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

export interface ReceivedMail {
  to: string;
  /** The received `To` header; the server itself shows domains in Unicode. */
  writtenTo: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** True if the mail arrived over TLS. */
  isEncrypted: boolean;
}

export interface SmtpSinkOptions {
  /** PEM certificate and key. Enables STARTTLS. */
  tls?: { key: string; cert: string };
  /** Refusals of a sender or a recipient, such as `554 5.7.1 Relay access denied`. */
  refuses?: { sender?: string; recipient?: string };
}

/**
 * A mail server that records received mails. It keeps its port when it is stopped and started
 * again.
 */
export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  private server: SMTPServer | undefined;
  private port = 0;

  private constructor(private readonly options: SmtpSinkOptions) {}

  static async start(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
    const sink = new SmtpSink(options);
    await sink.start();
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { tls, refuses = {} } = this.options;
    const server = new SMTPServer({
      ...tls,
      disabledCommands: ['AUTH', ...(tls ? [] : ['STARTTLS'])],
      logger: false,
      onMailFrom: (_address, _session, done) => done(refusal(refuses.sender)),
      onRcptTo: (_address, _session, done) => done(refusal(refuses.recipient)),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
          this.receive(to, Buffer.concat(chunks), session.secure).then(() => done(), done);
        });
      },
    });
    server.on('error', () => undefined); // a client disconnected
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.server.address() as { port: number }).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
    this.server = undefined;
  }

  /**
   * Waits for a mail to this address, and returns the first after the first `after` ones.
   *
   * @throws Error if it does not come within the time of `until`.
   */
  waitForMail(address: string, after = 0): Promise<ReceivedMail> {
    return until(() => this.mails.filter(({ to }) => to === address)[after]);
  }

  private async receive(to: string, content: Buffer, isEncrypted: boolean): Promise<void> {
    const { subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(content);
    const writtenTo = /^To: (.*)$/im.exec(content.toString('latin1'))?.[1]?.trim() ?? '';
    this.mails.push({ to, writtenTo, subject, text, html, messageId, isEncrypted });
  }
}

/**
 * Makes the error of a refusal from an answer such as `554 5.7.1 Relay access denied`; null if
 * there is none. The server itself writes the status code before the message, so the two are split.
 */
function refusal(answer: string | undefined): Error | null {
  if (answer === undefined) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
