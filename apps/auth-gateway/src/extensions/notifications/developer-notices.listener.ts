import { shortenText } from '@platform/contracts';
import { Injectable } from '@nestjs/common';
import {
  DeveloperNoticesService,
  type DeveloperNotice,
} from '../../apps/deploys/versions/developer-notices.service.js';
import { UserNotificationsService } from './user-notifications.service.js';

/** Sender of notifications for developers. */
const DEVELOPER = 'developer';
/** Longest part of a reason in a message. */
const MAX_REASON = 500;

/**
 * Notifies developers about the results of deploys and reviews. A deploy that a newer one replaced
 * causes no notification.
 */
@Injectable()
export class DeveloperNoticesListener {
  constructor(notices: DeveloperNoticesService, notifications: UserNotificationsService) {
    notices.onNotice(async (em, notice) => {
      const text = textOf(notice);
      if (!text) return;
      await notifications.storeNotification(em, {
        app_id: DEVELOPER,
        user_id: notice.developer_id,
        tenant_id: notice.tenant_id,
        ...text,
      });
    });
  }
}

type Text = { subject: string; message: string; priority: 'low' | 'normal' | 'high' };

function textOf(notice: DeveloperNotice): Text | null {
  const { app_id: app } = notice;
  switch (notice.kind) {
    case 'published':
      return {
        subject: `${app} is in the marketplace`,
        message: 'The review approved it: everybody can install it now.',
        priority: 'normal',
      };
    case 'sent_back':
      return {
        subject: `${app} was sent back`,
        message: `The review did not approve it: ${short(notice.reason)}`,
        priority: 'high',
      };
    case 'deploy':
      return textOfDeploy(app, notice);
  }
}

function textOfDeploy(
  app: string,
  { version, status, error_message }: Extract<DeveloperNotice, { kind: 'deploy' }>,
): Text | null {
  const what = version === null ? app : `${app} ${version}`;
  switch (status) {
    case 'success':
      return { subject: `${what} is live`, message: `Calls of ${app} run this version from now on.`, priority: 'low' };
    case 'waiting':
      return {
        subject: `${what} waits for a review`,
        message: 'Until then, users keep the previous version.',
        priority: 'normal',
      };
    case 'failed':
      return { subject: `${what} was not deployed`, message: short(error_message) || 'It failed.', priority: 'high' };
    default:
      return null;
  }
}

const short = (reason: string): string => shortenText(reason, MAX_REASON);
