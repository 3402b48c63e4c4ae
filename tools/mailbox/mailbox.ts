import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { MessageStore } from './message-store.js';
import { createSmtpServer } from './smtp.js';
import { createWebServer } from './web.js';

export interface MailboxOptions {
  /** 0 takes a free one. */
  smtpPort: number;
  /** 0 takes a free one. */
  webPort: number;
  /** The address where it listens; 127.0.0.1 without it. In a container nobody else would reach that. */
  host?: string;
  /** Keeps the messages. */
  file: string;
  /** The folder of the web page. */
  pageDirectory: string;
}

const HOST = '127.0.0.1';

/** A mail server that keeps what it is sent instead of delivering it, with a page and JSON to read it. */
export class Mailbox {
  private constructor(
    private readonly smtp: SMTPServer,
    private readonly web: Server,
  ) {}

  /** Rejects with the system's error, which has `code` and `port`, when a port cannot be used. */
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
    const closed = Promise.all([new Promise<void>((done) => this.smtp.close(done)), new Promise((done) => this.web.close(done))]);
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
    // A client that breaks off must not end the mailbox.
    this.smtp.removeAllListeners('error');
    this.smtp.on('error', () => undefined);
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (!address || typeof address === 'string') throw new Error('The mailbox does not listen.');
  return address.port;
}
