import { Inject, Injectable } from '@nestjs/common';
import { type HostChatMessageRequest } from '@platform/contracts';
import { RateLimiter } from '@platform/guards';
import { onViolation, Outbox } from '@platform/persistence';
import { AppError, Errors } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { eventOwnerOf, takeEventQuota } from '../events/event-quota.js';
import { RunGrantErrors } from '../run-grants/run-grants.errors.js';
import { RunGrants } from '../run-grants/run-grants.service.js';

/** Of one app to one user. */
const APP_CHAT_LIMIT = policy('app-chat', 30, MINUTE);

/** What apps say to the users of their runs, who follow it on the stream of events. */
@Injectable()
export class ChatMessages {
  constructor(
    private readonly outbox: Outbox,
    private readonly grants: RunGrants,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * To the user of the run, and nobody else; the same message again changes nothing. It counts among what the apps of the developer may publish in a day.
   *
   * @throws AppError 403 for the grant, 400 for a text that is longer than an event may be, 429 for more than 30 of an app in a minute, or than a day has room for.
   */
  async deliver({ grant, message_id, text, type, refresh_panels = [] }: HostChatMessageRequest): Promise<void> {
    const { appId, user } = await this.grants.allow(grant);
    if (!user) throw RunGrantErrors.noUser();
    const { userId, tenantId } = user;
    const { allowed, retryAfterSeconds } = await this.limiter.consume(APP_CHAT_LIMIT, `${appId}\n${userId}`);
    if (!allowed) throw ChatErrors.tooMany(retryAfterSeconds);
    const data = { message_id, text, type, app_id: appId, refresh_panels };
    await this.outbox.transaction(async (em) => {
      const isNew = await publishEvent(em, { id: message_id, type: 'chat_message', tenantId, userId, data }).catch(
        onViolation('platform_events_payload_check', ChatErrors.tooLarge),
      );
      if (isNew) await takeEventQuota(em, { owner: await eventOwnerOf(em, appId), userId }, data, this.config.EVENT_QUOTA_MB);
    });
  }
}

const ChatErrors = {
  tooMany: (retryAfterSeconds: number) =>
    Errors.limited('chat_message.too_many', 'The app has said too much to this user in the last minute.', retryAfterSeconds),
  tooLarge: () => new AppError(400, 'chat_message.too_large', 'The message is too long.'),
};
