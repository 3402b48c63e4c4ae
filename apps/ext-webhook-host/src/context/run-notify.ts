import { ApiError } from '@platform/client';
import { assertUserId, type ContextNotify, ExtensionError, type Notification } from '@platform/extension-sdk/runtime';
import type { GatewayClient } from '../gateway/gateway-client.js';
import { GatewayUnavailable } from '../gateway/gateway.errors.js';
import { RunErrors, unavailable } from './run-errors.js';
import type { RunState } from './run-state.js';
import { whileOpen } from './while-open.js';

/** `ctx.notify` of one run. */
export class RunNotify implements ContextNotify {
  constructor(
    private readonly gateway: GatewayClient,
    /** `userId` is null for a run without a user. */
    private readonly to: { appId: string; tenantId: string; userId: string | null },
    private readonly state: Pick<RunState, 'notifications' | 'assertOpen'>,
  ) {}

  async send({ message, channel = 'in_app', priority = 'normal', subject, body }: Notification): Promise<{ sent: boolean }> {
    const { appId, tenantId, userId } = this.to;
    if (userId === null) throw RunErrors.noUser();
    this.state.notifications.spend();
    const notification = { app_id: appId, user_id: userId, tenant_id: tenantId, message, channel, priority };
    return this.gateway.notify({ ...notification, subject: subject ?? null, body: body ?? null }).catch((error: unknown) => {
      if (error instanceof ApiError) throw new ExtensionError('NOTIFICATION_REFUSED', error.message);
      if (!(error instanceof GatewayUnavailable)) throw error;
      throw unavailable('NOTIFY', 'Nobody can be notified at the moment.', { retryable: true, cause: error });
    });
  }

  forUser(userId: string): ContextNotify {
    assertUserId(userId);
    return whileOpen(new RunNotify(this.gateway, { ...this.to, userId }, this.state), this.state.assertOpen);
  }
}
