import { Injectable } from '@nestjs/common';
import type { Mail } from './mailer.service.js';

/** Writes a mail about what has this id, as it is now; null where there is nothing to tell any more, or nobody to tell it. */
export type MailWriter = (id: string) => Promise<Mail | null>;

/** Mails of features that stand above: they add what writes them, and enqueue the job `feature` of the mail queue. */
@Injectable()
export class FeatureMails {
  private readonly writers = new Map<string, MailWriter>();

  /** Call it in the constructor of a provider. */
  add(kind: string, write: MailWriter): void {
    if (this.writers.has(kind)) throw new Error(`Mails of the kind ${kind} are written twice.`);
    this.writers.set(kind, write);
  }

  /** @throws Error for a kind that nobody added, such as that of a later gateway: another process takes it. */
  async write(kind: string, id: string): Promise<Mail | null> {
    const writer = this.writers.get(kind);
    if (!writer) throw new Error(`Nobody writes mails of the kind ${kind}.`);
    return writer(id);
  }
}
