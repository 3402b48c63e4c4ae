import type { WebhookDisabledReason } from '@platform/contracts';
import type { Mail } from '../../../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../../../identity/mail/templates.js';

export type GivenUpReason = Exclude<WebhookDisabledReason, 'by_hand'>;

interface DisabledReason {
  /** Host of the URL, without path and query, which can contain secrets. */
  host: string;
  reason: GivenUpReason;
}

export type DisabledEndpoint = Recipient & DisabledReason;

export const describeDisabledReason = ({ host, reason }: DisabledReason): string =>
  reason === 'gone'
    ? `Your webhook endpoint at ${host} answered 410 (Gone). It was disabled and receives no more events.`
    : `No event has arrived at your webhook endpoint at ${host} for three days. It was disabled and receives no more events.`;

export const disabledMail = ({ host, reason, ...to }: DisabledEndpoint, page: string): Mail =>
  mail(to, 'A webhook endpoint was disabled', {
    greeting: greeting(to),
    paragraphs: [
      describeDisabledReason({ host, reason }),
      'When it works again, enable it. You can then send again the events of the last 24 hours, and each delivery of the last 7 days.',
    ],
    action: { label: 'See the endpoints', url: page },
    note: 'You receive this mail because you created the endpoint.',
  });
