import { SURFACES } from '../sessions.dto.js';
import { define } from './event-definition.js';
import { flag, id, oneOf, text, textOrNull } from './fields.js';

/** Events about the logins and API keys of a user. API keys cannot receive them. */
export const ACCOUNT_EVENTS = {
  'session.started': define({
    description: 'A user signed in. The event follows within some seconds.',
    payload: {
      session_id: id('Id of the session, as in `GET /v1/auth/sessions`.'),
      surface: oneOf(SURFACES, 'Kind of client.'),
      method: text('Login method, such as `password` or `terminal_code`.'),
      device: text('Device, such as `Firefox on Linux`.'),
      is_new_device: flag('True if none of the previous 100 sessions of the user was on this kind of device.'),
    },
    audience: 'user',
    keyScope: false,
  }),
  'session.ended': define({
    description:
      'A session was ended by its user, by a change of the password, or because its tokens were misused. There is no event for a session that expires.',
    payload: {
      session_id: id('Id of the session.'),
      reason: text('Reason, such as `logout`, `revoked` or `refresh_reuse`.'),
    },
    audience: 'user',
    keyScope: false,
  }),
  'api_key.created': define({
    description: 'A user created an API key.',
    payload: { key_id: id('Id of the API key.'), name: textOrNull('Name of the API key.') },
    audience: 'user',
    keyScope: false,
  }),
  'api_key.deleted': define({
    description: 'A user deleted an API key.',
    payload: { key_id: id('Id of the API key.') },
    audience: 'user',
    keyScope: false,
  }),
};

/** Events for a tenant about its users and webhook endpoints. */
export const TENANT_EVENTS = {
  'user.created': define({
    description: 'An account was created. After a signup, the event follows when the address is confirmed.',
    payload: { user_id: id('Id of the user.') },
    audience: 'tenant',
    keyScope: false,
  }),
  'user.updated': define({
    description: 'An administrator or a backend changed an account, for instance its role.',
    payload: {
      user_id: id('Id of the user.'),
      changed: { type: 'array', items: { type: 'string' }, description: 'Names of the changed fields.' },
    },
    audience: 'tenant',
    keyScope: false,
  }),
  'user.erased': define({
    description: 'An account was permanently deleted, with all personal data.',
    payload: { user_id: id('Id of the user.') },
    audience: 'tenant',
    keyScope: false,
  }),
  'webhook_endpoint.disabled': define({
    description:
      'The platform disabled a webhook endpoint, because no delivery arrived for three days, or because it answered 410 (Gone).',
    payload: { endpoint_id: id('Id of the webhook endpoint.'), reason: oneOf(['failures', 'gone'], 'Reason.') },
    audience: 'tenant',
    keyScope: false,
  }),
};
