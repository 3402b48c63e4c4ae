import { DEPLOY_STATUSES } from '../deploys.dto.js';
import { APP_STATUSES } from '../developer/apps.dto.js';
import { APP_HEALTH_STATUSES, KNOWN_HEALTH_STATUSES } from '../extensions/health.dto.js';
import { CONFIRMATION_STATUSES } from '../extensions/operate.dto.js';
import { NOTIFICATION_PRIORITIES } from '../notifications.dto.js';
import { TASK_STATUSES } from '../extensions/tasks.dto.js';
import { CHAT_MESSAGE_TYPES } from '../runtime/chat-messages.dto.js';
import { define } from './event-definition.js';
import { id, oneOf, text, textOrNull, time } from './fields.js';

const APP = id('Of the app.');

/** What users hear of the apps that they have. */
export const MARKETPLACE_EVENTS = {
  'marketplace.app_installed': define({
    description: 'A user has installed an app; not those that everybody has.',
    payload: { app_id: APP },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
  'marketplace.app_uninstalled': define({
    description: 'A user has removed an app.',
    payload: { app_id: APP },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
  'marketplace.app_disabled': define({
    description: 'An app was switched off for a user, who keeps it.',
    payload: { app_id: APP },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'marketplace.app_enabled': define({
    description: 'An app was switched on again for a user.',
    payload: { app_id: APP },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'marketplace.scopes_granted': define({
    description: 'What an app may do for its user was changed by them.',
    payload: { app_id: APP, scopes: { type: 'array', items: { type: 'string' }, description: 'All that it was granted now.' } },
    audience: 'user',
    keyScope: 'installs:read',
  }),
  'notification.created': define({
    description: 'An app, or the platform, has something to tell the user: it is among `GET /v1/me/notifications`.',
    payload: {
      notification_id: id('Of the notification.'),
      app_id: text('The app, or `billing` and such for the platform itself.'),
      priority: oneOf(NOTIFICATION_PRIORITIES, 'As the app says.'),
      subject: textOrNull('Null where the app gave none.'),
      message: text('For the user.'),
    },
    audience: 'user',
    keyScope: 'profile:read',
    saysText: true,
  }),
  'notification.read': define({
    description: 'The user has read notifications, here or elsewhere.',
    payload: { unread_count: { type: 'integer', description: 'How many are left that they have not read; 100 for as many or more.' } },
    audience: 'user',
    keyScope: 'profile:read',
  }),
  'confirmation.created': define({
    description: 'A call waits until its user agrees to it.',
    payload: {
      confirmation_id: id('Of the confirmation.'),
      app_id: APP,
      function: text('That is to be called.'),
      summary: text('For the user.'),
      expires_at: time('From then on it can no more be answered.'),
    },
    audience: 'user',
    keyScope: 'confirmations:read',
    saysText: true,
  }),
  'confirmation.answered': define({
    description: 'A user has agreed to a call, or declined it.',
    payload: { confirmation_id: id('Of the confirmation.'), app_id: APP, status: oneOf(CONFIRMATION_STATUSES, 'What they answered.') },
    audience: 'user',
    keyScope: 'confirmations:read',
  }),
};

/** Their types are those of the interface, which has no word before a dot. */
export const RUN_EVENTS = {
  task_update: define({
    description: 'A call that goes on after its request has begun, is further, or is over.',
    payload: {
      task_id: id('As in `GET /v1/tasks/{task_id}`, which has the result.'),
      status: oneOf(TASK_STATUSES, 'Now.'),
      progress: { type: 'integer', description: '0 to 100.' },
      message: textOrNull('What the function says that it is at.'),
      app_id: APP,
      function: text('That was called.'),
      error_code: textOrNull('Why it failed, for a program; else null.'),
    },
    audience: 'user',
    sourceType: 'task',
    keyScope: 'tasks:read',
    saysText: true,
  }),
  chat_message: define({
    description: 'An app says something to the user of a run.',
    payload: {
      message_id: id('Of the message.'),
      text: text('At most 64 KiB.'),
      type: oneOf(CHAT_MESSAGE_TYPES, 'As the app says.'),
      app_id: APP,
      refresh_panels: { type: 'array', items: { type: 'string' }, description: 'The ids of the panels that show something else now.' },
    },
    audience: 'user',
    sourceType: 'chat',
    keyScope: 'profile:read',
    saysText: true,
  }),
};

/** What developers hear of their apps. */
export const DEVELOPER_EVENTS = {
  'deploy.changed': define({
    description: 'A deploy was accepted, is served, waits for a review, has failed or was overtaken by a newer one.',
    payload: {
      deploy_id: id('Of the deploy.'),
      app_id: APP,
      version: textOrNull('Of the app; null where whoever recorded the deploy did not say.'),
      status: oneOf(DEPLOY_STATUSES, 'As in `GET /v1/developer/deploys/{deploy_id}`.'),
      error_message: text('Why it failed; else empty.'),
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'app.status_changed': define({
    description: 'An app was submitted, published, sent back, suspended or taken back.',
    payload: { app_id: APP, previous_status: oneOf(APP_STATUSES, 'Before.'), status: oneOf(APP_STATUSES, 'Now.') },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'app.health_changed': define({
    description: 'The health of an app of the developer has changed, as at least five callers show it; or the app is healthy again.',
    payload: {
      app_id: APP,
      previous_status: oneOf(APP_HEALTH_STATUSES, 'Before; `unknown` for an app that is unhealthy at the first look.'),
      status: oneOf(KNOWN_HEALTH_STATUSES, 'By the rule of `GET /v1/ext/{app_id}/health`.'),
    },
    audience: 'user',
    keyScope: 'apps:read',
  }),
  'review.posted': define({
    description: 'A user has reviewed an app of the developer, or rated it anew.',
    payload: { app_id: APP, review_id: id('Of the review.'), rating: { type: 'integer', description: '1 to 5.' } },
    audience: 'user',
    keyScope: 'apps:read',
  }),
};
