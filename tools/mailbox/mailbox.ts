import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { MessageStore } from './message-store.js';
import { createSmtpServer } from './smtp.js';
import { createWebServer } from './web.js';

export interface MailboxOptions {
  /** 0 chooses a free port. */
  smtpPort: number;
  /** 0 chooses a free port. */
  webPort: number;
  /**
   * Address to listen on. Default 127.0.0.1, which in a container cannot be reached from outside.
   */
  host?: string;
  /** File in which the messages are stored. */
  file: string;
  /** Folder of the web page. */
  pageDirectory: string;
}

const HOST = '127.0.0.1';

/**
 * A mail server that stores mails instead of delivering them, with a web page and JSON to read
 * them.
 */
export class Mailbox {
  private constructor(
    private readonly smtp: SMTPServer,
    private readonly web: Server,
  ) {}

  /** @throws the system's error, with `code` and `port`, if a port cannot be used. */
  static async start({ smtpPort, webPort, host = HOST, file, pageDirectory }: MailboxOptions): Promise<Mailbox> {
    const store = new MessageStore(file);
    const mailbox = new Mailbox(
      createSmtpServer((message) => store.add(message)),
      createWebServer(store, pageDirectory),
    );
    await mailbox.listen(smtpPort, webPort, host);
    return mailbox;
  }

  get smtpUrl(): string {
    return `smtp://${HOST}:${portOf(this.smtp.server.address())}`;
  }

  get webUrl(): string {
    return `http://${HOST}:${portOf(this.web.address())}`;
  }

  async stop(): Promise<void> {
    const closed = Promise.all([
      new Promise<void>((done) => this.smtp.close(done)),
      new Promise((done) => this.web.close(done)),
    ]);
    this.web.closeAllConnections();
    await closed;
  }

  private async listen(smtpPort: number, webPort: number, host: string): Promise<void> {
    await new Promise<void>((done, failed) => this.web.once('error', failed).listen(webPort, host, done));
    try {
      await new Promise<void>((done, failed) => {
        this.smtp.once('error', failed);
        this.smtp.listen(smtpPort, host, done);
      });
    } catch (error) {
      this.web.close();
      throw error;
    }
    // A client that closes the connection early must not end the mailbox.
    this.smtp.removeAllListeners('error');
    this.smtp.on('error', () => undefined);
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (!address || typeof address === 'string') throw new Error('The mailbox is not listening.');
  return address.port;
}
