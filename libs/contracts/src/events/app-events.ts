import { DEPLOY_STATUSES } from '../deploys.dto.js';
import { APP_STATUSES } from '../developer/apps.dto.js';
import { APP_HEALTH_STATUSES, KNOWN_HEALTH_STATUSES } from '../extensions/health.dto.js';
import { CONFIRMATION_STATUSES } from '../extensions/operate.dto.js';
import { NOTIFICATION_PRIORITIES } from '../notifications.dto.js';
import { TASK_STATUSES } from '../extensions/tasks.dto.js';
import { CHAT_MESSAGE_TYPES } from '../runtime/chat-messages.dto.js';
import { define } from './event-definition.js';
import { id, oneOf, text, textOrNull, time } from './fields.js';

const APP = id('Id of the app.');

/** Events for users about the apps that they have. */
export const MARKETPLACE_EVENTS = {
  'marketplace.app_installed': define({
    description: 'A user installed an app. There is no event for system apps, which every user has.',
    payload: { app_id: APP },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
  'marketplace.app_uninstalled': define({
    description: 'A user removed an app.',
    payload: { app_id: APP },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
  'marketplace.app_disabled': define({
    description: 'An app was disabled for a user. It stays installed.',
    payload: { app_id: APP },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'marketplace.app_enabled': define({
    description: 'An app was enabled again for a user.',
    payload: { app_id: APP },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'marketplace.scopes_granted': define({
    description: 'A user changed the scopes that an app has.',
    payload: {
      app_id: APP,
      scopes: { type: 'array', items: { type: 'string' }, description: 'All scopes that the app has now.' },
    },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'notification.created': define({
    description: 'A user got a notification from an app or the platform: see `GET /v1/me/notifications`.',
    payload: {
      notification_id: id('Id of the notification.'),
      app_id: text('Id of the app, or a part of the platform such as `billing`.'),
      priority: oneOf(NOTIFICATION_PRIORITIES, 'Priority, as the app set it.'),
      subject: textOrNull('Subject; null if the app set none.'),
      message: text('Text for the user.'),
    },
    audience: 'user',
    keyScope: 'profile:read',
    saysText: true,
  }),
  'notification.read': define({
    description: 'The user read notifications, on this or another client.',
    payload: {
      unread_count: {
        type: 'integer',
        description: 'Number of remaining unread notifications; 100 means 100 or more.',
      },
    },
    audience: 'user',
    keyScope: 'profile:read',
  }),
  'confirmation.created': define({
    description: 'A call waits for the confirmation of its user.',
    payload: {
      confirmation_id: id('Id of the confirmation.'),
      app_id: APP,
      function: text('Name of the function to call.'),
      summary: text('One line of text for the user.'),
      expires_at: time('Time after which it can no longer be answered.'),
    },
    audience: 'user',
    keyScope: 'confirmations:read',
    saysText: true,
  }),
  'confirmation.answered': define({
    description: 'A user confirmed or declined a call.',
    payload: {
      confirmation_id: id('Id of the confirmation.'),
      app_id: APP,
      status: oneOf(CONFIRMATION_STATUSES, 'Answer of the user.'),
    },
    audience: 'user',
    keyScope: 'confirmations:read',
  }),
};

/** Events about runs. Their types have no dot because existing clients know them by these names. */
export const RUN_EVENTS = {
  task_update: define({
    description: 'A task (a call that continues after its request) started, made progress or ended.',
    payload: {
      task_id: id('Id of the task. `GET /v1/tasks/{task_id}` has the result.'),
      status: oneOf(TASK_STATUSES, 'Status of the task now.'),
      progress: { type: 'integer', description: 'Progress in percent, 0 to 100.' },
      message: textOrNull('Last progress message of the function.'),
      app_id: APP,
      function: text('Name of the called function.'),
      error_code: textOrNull('Error code for programs; null if it did not fail.'),
    },
    audience: 'user',
    sourceType: 'task',
    keyScope: 'tasks:read',
    saysText: true,
  }),
  chat_message: define({
    description: 'An app sent a chat message to the user of a run.',
    payload: {
      message_id: id('Id of the message.'),
      text: text('Text of the message, at most 64 KiB.'),
      type: oneOf(CHAT_MESSAGE_TYPES, 'Type of the message, as the app set it.'),
      app_id: APP,
      refresh_panels: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of the panels whose content has changed.',
      },
    },
    audience: 'user',
    sourceType: 'chat',
    keyScope: 'profile:read',
    saysText: true,
  }),
};

/** Events for developers about their apps. */
export const DEVELOPER_EVENTS = {
  'deploy.changed': define({
    description: 'A deploy was accepted, went live, waits for a review, failed or was superseded by a newer one.',
    payload: {
      deploy_id: id('Id of the deploy.'),
      app_id: APP,
      version: textOrNull('Version of the app; null if the record of an external pipeline does not name it.'),
      status: oneOf(DEPLOY_STATUSES, 'Status, as in `GET /v1/developer/deploys/{deploy_id}`.'),
      error_message: text('Reason of the failure; empty if it did not fail.'),
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'app.status_changed': define({
    description: 'An app was submitted, published, rejected, suspended or withdrawn.',
    payload: {
      app_id: APP,
      previous_status: oneOf(APP_STATUSES, 'Previous status.'),
      status: oneOf(APP_STATUSES, 'Status now.'),
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'app.health_changed': define({
    description:
      'The health of an app of the developer changed. It counts at least five callers, except when the app becomes healthy again.',
    payload: {
      app_id: APP,
      previous_status: oneOf(
        APP_HEALTH_STATUSES,
        'Previous health; `unknown` if the app is unhealthy at the first check.',
      ),
      status: oneOf(KNOWN_HEALTH_STATUSES, 'Health now, computed as in `GET /v1/ext/{app_id}/health`.'),
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'review.posted': define({
    description: 'A user reviewed an app of the developer, or changed the rating.',
    payload: {
      app_id: APP,
      review_id: id('Id of the review.'),
      rating: { type: 'integer', description: 'Rating from 1 to 5.' },
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
};
