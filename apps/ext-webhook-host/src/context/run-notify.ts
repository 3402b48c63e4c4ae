import { ApiError } from '@platform/client';
import type { HostNotificationRequest } from '@platform/contracts';
import { assertUserId, type ContextNotify, ExtensionError, type Notification } from '@platform/extension-sdk/runtime';
import { isUnavailable } from '@platform/platform';
import type { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import type { RunState } from './run-state.js';
import type { Run } from './run.js';
import { withOpenCheck } from './open-check.js';

type NotificationTexts = Pick<HostNotificationRequest, 'message'> & { subject: string | null; body: string | null };

/** The member `ctx.notify` of one run. */
export class RunNotify implements ContextNotify {
  constructor(
    private readonly gateway: GatewayClient,
    private readonly run: Pick<Run, 'grant' | 'userId'> & {
      state: Pick<RunState, 'notifications' | 'assertOpen' | 'redactor'>;
    },
    /** Recipient; null: the user of the run. */
    private readonly other: string | null = null,
  ) {}

  async send({
    message,
    channel = 'in_app',
    priority = 'normal',
    subject,
    body,
  }: Notification): Promise<{ sent: boolean }> {
    const { grant, userId, state } = this.run;
    if (userId === null && this.other === null) throw RunErrors.noUser('Name one: ctx.notify.forUser(id).');
    state.notifications.spend();
    // Removes secrets that the run has read: the notification is shown and mailed to the user.
    const texts = state.redactor.redactValue({
      message,
      subject: subject ?? null,
      body: body ?? null,
    }) as NotificationTexts;
    const notification = { ...texts, channel, priority };
    try {
      const ofUser = this.other === null ? grant : (await grant.getUserGrant(this.other)).grant;
      return await ofUser.callWithGrant((text) => this.gateway.sendNotification({ grant: text, ...notification }));
    } catch (error) {
      if (error instanceof ApiError) throw new ExtensionError('NOTIFICATION_REFUSED', error.message);
      if (!isUnavailable(error, 'gateway')) throw error;
      throw unavailableError('NOTIFY', 'Notifications cannot be sent at the moment.', {
        retryable: true,
        cause: error,
      });
    }
  }

  forUser(userId: string): ContextNotify {
    assertUserId(userId);
    return withOpenCheck(new RunNotify(this.gateway, this.run, userId), this.run.state.assertOpen);
  }
}
