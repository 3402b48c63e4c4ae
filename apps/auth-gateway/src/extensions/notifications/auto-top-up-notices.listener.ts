import { Injectable } from '@nestjs/common';
import { AutoTopUpNoticesService, type AutoTopUpNotice } from '@platform/billing';
import { formatUsd } from '../../kernel/money.js';
import { UserNotificationsService } from './user-notifications.service.js';

/** Sender of notifications about credits. */
const BILLING = 'billing';

/**
 * Notifies users about automatic top-ups, about the reasons if there are none, and about a low
 * balance.
 */
@Injectable()
export class AutoTopUpNoticesListener {
  constructor(notices: AutoTopUpNoticesService, notifications: UserNotificationsService) {
    notices.onNotice(async (em, notice) => {
      await notifications.storeNotification(em, {
        app_id: BILLING,
        user_id: notice.userId,
        tenant_id: notice.tenantId,
        ...textOf(notice),
      });
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
        message: `Few credits were left, so ${notice.credits} were bought for ${formatUsd(notice.amountCents)} with your saved card.`,
      };
    case 'declined':
      return {
        subject: 'Your card was declined',
        message: `Few credits are left, and your card could not pay for more: ${notice.why ?? 'it was declined.'} The next attempt is after ${moment(notice.until)}.`,
        priority: 'high',
      };
    case 'stopped':
      return { subject: 'Automatic top-ups have stopped', message: WHY_STOPPED[notice.reason], priority: 'high' };
    case 'limit':
      return {
        subject: 'Automatic top-ups are paused',
        message: `Few credits are left, and none are bought before ${moment(notice.until)}: ${WHY_LIMITED[notice.reason]}`,
        priority: 'high',
      };
    case 'low_balance':
      return { subject: 'Few credits are left', message: `${Math.max(0, notice.balance)} credits are left.` };
  }
}

const WHY_STOPPED = {
  declined: 'Your card was declined three times in a row. Save another one, and enable automatic top-ups again.',
  authentication_required: 'Your bank asks you to confirm the payment. Open the payment in the list of your payments.',
  refunded:
    'One of your payments was refunded, and its credits were taken back. Enable automatic top-ups again if you still want them.',
  disputed: 'One of your payments is disputed at your bank. Enable automatic top-ups again when the dispute is closed.',
  card_removed: 'The card for automatic top-ups was removed. Save another one, and enable automatic top-ups again.',
};

const WHY_LIMITED = {
  frequency: 'credits were bought three times within ten minutes.',
  daily_cap: 'the daily limit is reached.',
  monthly_cap: 'the monthly limit is reached.',
  declined: 'your card was declined.',
};
