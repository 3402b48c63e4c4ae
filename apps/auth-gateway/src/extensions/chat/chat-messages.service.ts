import { Inject, Injectable } from '@nestjs/common';
import { type HostChatMessageRequest } from '@platform/contracts';
import { RateLimiter } from '@platform/guards';
import { onViolation, Outbox } from '@platform/persistence';
import { AppError, Errors } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { findEventOwner, consumeEventQuota } from '../events/event-quota.js';
import { RunGrantErrors } from '../run-grants/run-grants.errors.js';
import { RunGrantsService } from '../run-grants/run-grants.service.js';

/** Limit of messages from one app to one user. */
const APP_CHAT_LIMIT = policy('app-chat', 30, MINUTE);

/** Sends messages of apps to the users of their runs, over the event stream. */
@Injectable()
export class ChatMessagesService {
  constructor(
    private readonly outbox: Outbox,
    private readonly grants: RunGrantsService,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a message of the app to the user of the run, and to no other user, as the event
   * `chat_message`. A retry with the same `message_id` sends nothing again. The message counts for
   * the daily event quota of the app's developer.
   *
   * @throws AppError 403 `run_grant.*` if the run has ended, its app can no longer act, or it has
   * no user; 400 `chat_message.too_large` if the text is longer than an event can be; 429
   * `chat_message.too_many` above 30 messages from the app to the user in a minute,
   * `event.quota_exceeded` above the daily quota.
   */
  async sendMessage({ grant, message_id, text, type, refresh_panels = [] }: HostChatMessageRequest): Promise<void> {
    const { appId, user } = await this.grants.authorize(grant);
    if (!user) throw RunGrantErrors.noUser();
    const { userId, tenantId } = user;
    const { allowed, retryAfterSeconds } = await this.limiter.consume(APP_CHAT_LIMIT, `${appId}\n${userId}`);
    if (!allowed) throw ChatErrors.tooMany(retryAfterSeconds);
    const data = { message_id, text, type, app_id: appId, refresh_panels };
    await this.outbox.transaction(async (em) => {
      const isNew = await publishEvent(em, { id: message_id, type: 'chat_message', tenantId, userId, data }).catch(
        onViolation('platform_events_payload_check', ChatErrors.tooLarge),
      );
      if (isNew)
        await consumeEventQuota(
          em,
          { owner: await findEventOwner(em, appId), userId },
          data,
          this.config.EVENT_QUOTA_MB,
        );
    });
  }
}

const ChatErrors = {
  tooMany: (retryAfterSeconds: number) =>
    Errors.limited(
      'chat_message.too_many',
      'The app sent too many messages to this user in the last minute.',
      retryAfterSeconds,
    ),
  tooLarge: () => new AppError(400, 'chat_message.too_large', 'The message is too long.'),
};
