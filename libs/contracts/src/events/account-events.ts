import { SURFACES } from '../sessions.dto.js';
import { define } from './event-definition.js';
import { flag, id, oneOf, text, textOrNull } from './fields.js';

/** Where users are signed in, and what speaks for them. No API key hears of it. */
export const ACCOUNT_EVENTS = {
  'session.started': define({
    description: 'A user has signed in; told within some seconds.',
    payload: {
      session_id: id('As in `GET /v1/auth/sessions`.'),
      surface: oneOf(SURFACES, 'Where.'),
      method: text('By what, such as `password` or `terminal_code`.'),
      device: text('What signed in, such as `Firefox on Linux`.'),
      is_new_device: flag('None of the 100 sessions of the user before it was of such a device.'),
    },
    audience: 'user',
    keyScope: false,
  }),
  'session.ended': define({
    description: 'A session was ended: by its user, a changed password, or misuse of its tokens. One that expires is not told.',
    payload: { session_id: id('Of the session.'), reason: text('Such as `logout`, `revoked` or `refresh_reuse`.') },
    audience: 'user',
    keyScope: false,
  }),
  'api_key.created': define({
    description: 'A user has made an API key.',
    payload: { key_id: id('Of the key.'), name: textOrNull('As its user calls it.') },
    audience: 'user',
    keyScope: false,
  }),
  'api_key.deleted': define({
    description: 'A user has deleted an API key.',
    payload: { key_id: id('Of the key.') },
    audience: 'user',
    keyScope: false,
  }),
};

/** What those who run a tenant are told of its users. */
export const TENANT_EVENTS = {
  'user.created': define({
    description: 'An account was made for a user, or by themselves: then once its address is confirmed.',
    payload: { user_id: id('Of the user.') },
    audience: 'tenant',
    keyScope: false,
  }),
  'user.updated': define({
    description: 'Something of an account was changed for its user, such as their role.',
    payload: { user_id: id('Of the user.'), changed: { type: 'array', items: { type: 'string' }, description: 'The fields.' } },
    audience: 'tenant',
    keyScope: false,
  }),
  'user.erased': define({
    description: 'An account was erased, with what was kept for it.',
    payload: { user_id: id('Of the user.') },
    audience: 'tenant',
    keyScope: false,
  }),
  'webhook_endpoint.disabled': define({
    description:
      'The platform has given up an endpoint of outgoing webhooks: for three days nothing arrived, or it has answered that it is gone.',
    payload: { endpoint_id: id('Of the endpoint.'), reason: oneOf(['failures', 'gone'], 'Why.') },
    audience: 'tenant',
    keyScope: false,
  }),
};
