import type { Mail } from '../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../identity/mail/templates.js';

export interface ChangedDestination extends Recipient {
  changedAt: Date;
}

/** Names no account: mail is read by others, too. */
export const destinationChangedMail = ({ changedAt, ...to }: ChangedDestination, page: string): Mail =>
  mail(to, 'Your payouts go to another account now', {
    greeting: greeting(to),
    paragraphs: [
      `The account to which your earnings are paid was changed on ${changedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, with your password.`,
      'If you did not change it, change your password at once and tell those who run the platform, so that nothing is paid to a stranger.',
    ],
    action: { label: 'See where payouts go', url: page },
    note: 'You get this mail because the account for payouts of a developer was changed.',
  });
