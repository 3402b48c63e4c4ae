import { GRACE_DAYS } from '@platform/billing';
import type { Mail } from '../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../identity/mail/templates.js';

export interface RecipientPlan extends Recipient {
  planName: string;
  periodEndsAt: Date;
  /**
   * True if the plan has ended already, because its period was over and the next one was not paid.
   */
  hasEnded: boolean;
}

const day = (time: Date): string => time.toISOString().slice(0, 10);

export const planCancelledMail = ({ planName, periodEndsAt, hasEnded, ...to }: RecipientPlan, page: string): Mail =>
  mail(to, hasEnded ? `Your plan ${planName} has ended` : `Your plan ${planName} ends on ${day(periodEndsAt)}`, {
    greeting: greeting(to),
    paragraphs: hasEnded
      ? [
          `Your plan ${planName} was cancelled. It was paid until ${day(periodEndsAt)}, and you are not charged for it again.`,
          'You have the free plan now. Credits that you bought stay; credits of the plan have expired.',
        ]
      : [
          `Your plan ${planName} was cancelled. It stays active until ${day(periodEndsAt)}, and you are not charged for it again.`,
          'After that you have the free plan. Credits that you bought stay; credits of the plan expire.',
        ],
    action: { label: hasEnded ? 'See the plans' : 'Keep my plan', url: page },
    note: 'You get this mail because the plan of your account was cancelled.',
  });

export const cardMissingMail = ({ planName, ...to }: RecipientPlan, page: string): Mail =>
  mail(to, `Your plan ${planName} is not paid`, {
    greeting: greeting(to),
    paragraphs: [
      `The next month of your plan ${planName} is due, but you have no saved card.`,
      `Your plan stays active for ${GRACE_DAYS} days after its last paid month. If the next month is not paid in that time, the plan ends. Credits that you bought stay.`,
    ],
    action: { label: 'Save a card', url: page },
    note: 'You get this mail because your account has a plan that is paid each month.',
  });

export const cardRefusedMail = ({ planName, ...to }: RecipientPlan, page: string): Mail =>
  mail(to, `Your plan ${planName} is not paid`, {
    greeting: greeting(to),
    paragraphs: [
      `The next month of your plan ${planName} could not be charged to your saved card.`,
      `Please check the card, or choose another one. Your plan stays active for ${GRACE_DAYS} days after its last paid month. If the next month is not paid in that time, the plan ends. Credits that you bought stay.`,
    ],
    action: { label: 'Check my card', url: page },
    note: 'You get this mail because your account has a plan that is paid each month.',
  });

export const unpaidPlanMail = ({ planName, periodEndsAt, ...to }: RecipientPlan, page: string): Mail =>
  mail(to, `Your plan ${planName} has ended`, {
    greeting: greeting(to),
    paragraphs: [
      `Your plan ${planName} was paid until ${day(periodEndsAt)}. The next month was not paid within ${GRACE_DAYS} days, so the plan has ended.`,
      'You have the free plan now. Credits that you bought stay. You can buy a plan again at any time.',
    ],
    action: { label: 'See the plans', url: page },
    note: 'You get this mail because your account had a plan that is paid each month.',
  });
