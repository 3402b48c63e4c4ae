import { Injectable } from '@nestjs/common';
import type { Mail } from './mailer.service.js';

/**
 * Writes the mail for the object with this id, in its current state. Null if the mail is no longer
 * needed or has no recipient.
 */
export type MailWriter = (id: string) => Promise<Mail | null>;

/**
 * Mails of features that this module does not know: a feature adds a writer and enqueues the job
 * `feature` of the mail queue.
 */
@Injectable()
export class FeatureMailsRegistry {
  private readonly writers = new Map<string, MailWriter>();

  /**
   * Registers the writer of a kind of mail. Call it in the constructor of a provider.
   *
   * @throws Error if the kind has a writer already.
   */
  registerWriter(kind: string, write: MailWriter): void {
    if (this.writers.has(kind)) throw new Error(`Mails of the kind ${kind} have two writers.`);
    this.writers.set(kind, write);
  }

  /**
   * Writes a mail with the writer of its kind. Null if the mail is no longer needed or has no
   * recipient.
   *
   * @throws Error for a kind without a writer, such as a kind of a newer gateway version; the job
   * is then retried, possibly by another process.
   */
  async writeMail(kind: string, id: string): Promise<Mail | null> {
    const writer = this.writers.get(kind);
    if (!writer) throw new Error(`No writer is registered for mails of the kind ${kind}.`);
    return writer(id);
  }
}
