import type { Mail } from '../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../identity/mail/templates.js';

export interface ChangedDestination extends Recipient {
  changedAt: Date;
}

/**
 * Mail to a developer whose account for payouts was changed. Does not contain the account, because
 * other people may read the mail.
 */
export const destinationChangedMail = ({ changedAt, ...to }: ChangedDestination, page: string): Mail =>
  mail(to, 'Your payouts go to another account now', {
    greeting: greeting(to),
    paragraphs: [
      `The account to which your earnings are paid was changed on ${changedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, with your password.`,
      'If you did not change it, change your password at once and tell the operator of the platform, so that nothing is paid to a stranger.',
    ],
    action: { label: 'See where payouts go', url: page },
    note: 'You get this mail because the account for payouts of a developer was changed.',
  });
