import { Injectable } from '@nestjs/common';
import { AutoTopUpNotices, type AutoTopUpNotice } from '@platform/billing';
import { usd } from '../../kernel/money.js';
import { UserNotifications } from './notifications.service.js';

/** As which the platform tells users of their credits. */
const BILLING = 'billing';

/** Tells users what was bought without them, why nothing is, and that few credits are left. */
@Injectable()
export class BillingNotices {
  constructor(notices: AutoTopUpNotices, notifications: UserNotifications) {
    notices.onNotice(async (em, notice) => {
      await notifications.keep(em, { app_id: BILLING, user_id: notice.userId, tenant_id: notice.tenantId, ...textOf(notice) });
    });
  }
}

type Text = { subject: string; message: string; priority?: 'normal' | 'high' };

const moment = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function textOf(notice: AutoTopUpNotice): Text {
  switch (notice.kind) {
    case 'charged':
      return {
        subject: 'Credits were bought',
        message: `Few credits were left, so ${notice.credits} were bought for ${usd(notice.amountCents)} by your saved card.`,
      };
    case 'declined':
      return {
        subject: 'Your card was declined',
        message: `Few credits are left, and your card did not pay for more: ${notice.why ?? 'it was declined.'} It is tried again after ${moment(notice.until)}.`,
        priority: 'high',
      };
    case 'stopped':
      return { subject: 'Automatic top-ups have stopped', message: WHY_STOPPED[notice.reason], priority: 'high' };
    case 'limit':
      return {
        subject: 'Automatic top-ups wait',
        message: `Few credits are left, and none are bought before ${moment(notice.until)}: ${WHY_LIMITED[notice.reason]}`,
        priority: 'high',
      };
    case 'low_balance':
      return { subject: 'Few credits are left', message: `${Math.max(0, notice.balance)} credits are left.` };
  }
}

const WHY_STOPPED = {
  declined: 'Your card was declined three times in a row. Save another one, and enable automatic top-ups again.',
  authentication_required: 'The bank of your card wants you to confirm the payment. It waits for you among your payments.',
  refunded: 'A payment of yours went back, and its credits with it. Enable automatic top-ups again if you want more of them.',
  disputed: 'A payment of yours is disputed at your bank. Enable automatic top-ups again when that is settled.',
  card_removed: 'The card that was to pay is gone. Save another one, and enable automatic top-ups again.',
};

const WHY_LIMITED = {
  frequency: 'they were bought three times within ten minutes.',
  daily_cap: 'what may be paid in a day was paid.',
  monthly_cap: 'what may be paid in a month was paid.',
  declined: 'your card was declined.',
};
