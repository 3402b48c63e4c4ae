import type { WebhookDisabledReason } from '@platform/contracts';
import type { Mail } from '../../../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../../../identity/mail/templates.js';

export type GivenUpReason = Exclude<WebhookDisabledReason, 'by_hand'>;

interface Why {
  /** Without path and query, which may hold secrets. */
  host: string;
  reason: GivenUpReason;
}

export type DisabledEndpoint = Recipient & Why;

export const whyDisabled = ({ host, reason }: Why): string =>
  reason === 'gone'
    ? `Your webhook endpoint at ${host} has answered that it is gone (410). It was disabled and gets no more events.`
    : `For three days no event has arrived at your webhook endpoint at ${host}. It was disabled and gets no more events.`;

export const disabledMail = ({ host, reason, ...to }: DisabledEndpoint, page: string): Mail =>
  mail(to, 'A webhook endpoint was disabled', {
    greeting: greeting(to),
    paragraphs: [
      whyDisabled({ host, reason }),
      'Once it works again, enable it. Then you can have the events of the last 24 hours sent, and each delivery of the last 7 days.',
    ],
    action: { label: 'See the endpoints', url: page },
    note: 'You get this mail because you made the endpoint.',
  });
