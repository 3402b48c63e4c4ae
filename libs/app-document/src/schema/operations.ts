import type { ActionType } from '@platform/contracts';
import { type StepKind } from '../document.js';
import { callAction, collection, eventType, functionName, appId, secretName, settingName, STEP_ID } from './names.js';
import { anything, flag, integer, list, map, nullable, object, oneOfTexts, text, type Schema } from './schema.js';

/** An action of a kind of step. */
export interface Operation {
  kind: StepKind;
  action: string;
  description: string;
  /** Effect of the action. The effect of `call` is that of the called function. */
  effect: ActionType;
  params: Schema;
  /** Params that contain ids of steps or lists of steps, and so no templates. */
  literal: readonly string[];
}

const DOCUMENT = map('Fields of the document.');
const WHERE = map('Fields with the values that they must have.');
const COLLECTION = collection('Name of the collection. Collections are separate for each app, tenant and user.');
const DOCUMENT_ID = text('Id of the document.', { minLength: 1 });
const DOCUMENT_IDS = list('Ids of the documents.', text('Id of a document.'), { maxItems: 1000 });
const SELECTION = { id: DOCUMENT_ID, ids: DOCUMENT_IDS, where: WHERE };
const CACHE_KEY = text('Key of the value.', {
  pattern: '^[A-Za-z0-9_:-]{1,128}$',
  patternErrorMessage: 'must be 1 to 128 letters, digits, "_", ":" and "-"',
});
const SECRET = text('Shared secret, usually `{{ steps.<id>.value }}` of a `secret.get` step.');
const SIGNED = {
  'data!': text('Signed data, byte for byte, such as `{{ event.body }}`.'),
  'secret!': SECRET,
  algorithm: oneOfTexts(['sha256', 'sha512', 'sha1'], 'Hash algorithm.', { default: 'sha256' }),
  encoding: oneOfTexts(['hex', 'base64'], 'Encoding of the signature.', { default: 'hex' }),
  prefix: text('Text before the signature, such as `sha256=`.', { default: '' }),
};
const ITEMS = { type: 'array', description: 'Items of the list.' };
export const CONDITION = { type: 'object', description: 'A condition.' };
const UI_NODE = map('A UI node: `type` and `props`.');
const BRANCH = { type: ['string', 'array', 'null'], ...STEP_ID };

const HTTP = {
  'url!': text('Address of the request. Only public hosts are allowed.', { minLength: 1, maxLength: 8192 }),
  headers: map('Headers of the request.', { type: 'string' }),
  query: map('Query parameters that are added to the URL.'),
  timeout: { type: 'number', description: 'Timeout in seconds.', minimum: 1, maximum: 180, default: 30 },
};
const HTTP_WITH_BODY = {
  ...HTTP,
  json: anything('Body of the request, sent as JSON.'),
  body: text('Body of the request, sent unchanged. Use either `json` or `body`.'),
};

type Row = [
  action: string,
  effect: ActionType,
  description: string,
  params: Record<string, Schema>,
  literal?: string[],
];

const ROWS: Record<Exclude<StepKind, 'call' | 'emit'>, Row[]> = {
  store: [
    ['create', 'write', 'Adds a document. Result: `{id}`.', { 'kind!': COLLECTION, 'data!': DOCUMENT }],
    [
      'get',
      'read',
      'Reads a document. Result: `{doc}`, null if it does not exist.',
      { 'kind!': COLLECTION, 'id!': DOCUMENT_ID },
    ],
    [
      'list',
      'read',
      'Finds documents. Result: `{docs, ids, count, cursor}`.',
      {
        'kind!': COLLECTION,
        where: WHERE,
        ids: DOCUMENT_IDS,
        limit: integer('Maximum number of documents.', 1, 1000, { default: 100 }),
        order_by: text('Field to sort by, ascending. With `-` before it: descending.', {
          minLength: 1,
          maxLength: 200,
        }),
        cursor: text('The `cursor` of the previous page.'),
      },
    ],
    [
      'update',
      'write',
      'Changes fields of up to 1000 documents. Result: `{ids, count}`.',
      { 'kind!': COLLECTION, ...SELECTION, 'set!': map('Fields to change.') },
    ],
    [
      'delete',
      'destructive',
      'Deletes up to 1000 documents. Result: `{count}`.',
      { 'kind!': COLLECTION, ...SELECTION },
    ],
    [
      'once',
      'write',
      'Claims an external event, so that it is handled only once. Result: `{first}`, false if a run has claimed it before.',
      { 'event_id!': text('Id of the event, from its sender.', { minLength: 1, maxLength: 255 }) },
    ],
    ['count', 'read', 'Counts documents. Result: `{count}`.', { 'kind!': COLLECTION, where: WHERE }],
    [
      'set',
      'write',
      'Creates or replaces the document with this id. Result: `{id}`.',
      { 'kind!': COLLECTION, 'id!': DOCUMENT_ID, 'data!': DOCUMENT },
    ],
  ],
  cache: [
    ['get', 'read', 'Reads a value. Result: `{value}`, null if there is none.', { 'key!': CACHE_KEY }],
    [
      'set',
      'read',
      'Stores a value of at most 64 KiB for a limited time. Result: `{value}`.',
      {
        'key!': CACHE_KEY,
        'value!': anything('Any JSON value.'),
        ttl_seconds: integer('Seconds until the value expires.', 5, 300, { default: 60 }),
      },
    ],
    ['delete', 'read', 'Deletes a value. Result: `{value: null}`.', { 'key!': CACHE_KEY }],
  ],
  config: [
    [
      'get',
      'read',
      'Reads a setting. Result: `{value}`.',
      { 'key!': settingName('Dotted name of the setting.'), default: anything('Value if the setting is not set.') },
    ],
  ],
  secret: [
    [
      'get',
      'read',
      'Reads a secret. Result: `{value}`, which never appears in traces.',
      { 'name!': secretName('Name of a declared secret.') },
    ],
  ],
  http: [
    ['get', 'read', 'Sends GET. Result: `{status_code, headers, body, ok}`.', HTTP],
    ['post', 'write', 'Sends POST. Result: `{status_code, headers, body, ok}`.', HTTP_WITH_BODY],
    ['put', 'write', 'Sends PUT. Result: `{status_code, headers, body, ok}`.', HTTP_WITH_BODY],
    ['patch', 'write', 'Sends PATCH. Result: `{status_code, headers, body, ok}`.', HTTP_WITH_BODY],
    ['delete', 'destructive', 'Sends DELETE. Result: `{status_code, headers, body, ok}`.', HTTP_WITH_BODY],
  ],
  ai: [
    [
      'complete',
      'read',
      'Sends a prompt to the AI model. Result: `{text, model, usage}`.',
      {
        'prompt!': text('Prompt for the model.', { minLength: 1 }),
        model: text('Name of the model. Default: the configured one.'),
        temperature: {
          type: 'number',
          description: 'Sampling temperature: higher values give more varied answers.',
          minimum: 0,
          maximum: 2,
        },
        max_tokens: integer('Maximum number of tokens in the answer.', 1, 200_000),
        output: anything('`json`, or a JSON Schema for the answer.'),
      },
    ],
  ],
  notify: [
    [
      'send',
      'write',
      'Notifies the user. Result: `{sent}`.',
      {
        'message!': text('Text of the notification.', { minLength: 1 }),
        channel: text('Channel of the notification.', { default: 'in_app', minLength: 1, maxLength: 50 }),
        priority: oneOfTexts(['low', 'normal', 'high', 'urgent'], 'Priority of the notification.', {
          default: 'normal',
        }),
        subject: text('Title of the notification.'),
        body: text('Additional, longer text.'),
      },
    ],
  ],
  log: (['info', 'warning', 'error'] as const).map((level): Row => [
    level,
    'read',
    `Writes a line of level ${level} to the log of the app. Result: \`{}\`.`,
    { 'message!': text('Text of the line.') },
  ]),
  crypto: [
    [
      'hmac_verify',
      'read',
      'Checks a signature in constant time. Result: `{valid}`.',
      {
        ...SIGNED,
        'signature!': text('Signature as it was received.'),
        timestamp: {
          type: ['string', 'number'],
          description:
            'Time of the signature as a Unix time in seconds. It must not differ from the current time by more than `tolerance`.',
        },
        tolerance: integer('Maximum difference of `timestamp` from the current time in seconds.', 1, 86_400, {
          default: 300,
        }),
      },
    ],
    [
      'webhook_verify',
      'read',
      'Checks the signature of the request to a webhook with the scheme of a provider. Result: `{valid, reason}`.',
      {
        'scheme!': oneOfTexts(
          ['github', 'stripe', 'slack', 'shopify', 'standard-webhooks'],
          'Signature scheme: the provider that signs.',
        ),
        'secret!': SECRET,
        tolerance: integer('Maximum difference of the signed time from the current time in seconds.', 1, 86_400, {
          default: 300,
        }),
      },
    ],
    ['hmac_sign', 'read', 'Signs data. Result: `{signature}`.', SIGNED],
    [
      'sha256',
      'read',
      'Hashes a text. Result: `{digest}`.',
      {
        'data!': text('Text to hash.'),
        encoding: oneOfTexts(['hex', 'base64'], 'Encoding of the digest.', { default: 'hex' }),
      },
    ],
  ],
  transform: [
    [
      'set',
      'read',
      'Builds a value, usually with templates. Result: `{value}`.',
      { 'value!': anything('Any JSON value.') },
    ],
    [
      'pick',
      'read',
      'Copies some keys of an object. Result: `{value}`.',
      { 'from!': map('Object to copy from.'), 'keys!': list('Keys to copy.', text('A key.')) },
    ],
    [
      'map',
      'read',
      'Builds a new value from each item; templates read the item as `item`. Result: `{value}`, a list.',
      { 'items!': ITEMS, 'to!': anything('New value for an item, such as `{{ item.title }}`.') },
    ],
    [
      'filter',
      'read',
      'Keeps the items for which the condition is true; templates read the item as `item`. Result: `{value}`, a list.',
      { 'items!': ITEMS, 'if!': CONDITION },
    ],
    ['json_parse', 'read', 'Parses JSON text. Result: `{value}`.', { 'text!': text('JSON text.') }],
    [
      'json_stringify',
      'read',
      'Converts a value to JSON text. Result: `{value}`.',
      { 'value!': anything('Any JSON value.') },
    ],
    ['now', 'read', 'Returns the current time, ISO 8601 in UTC. Result: `{value}`.', {}],
    ['uuid', 'read', 'Returns a random UUID. Result: `{value}`.', {}],
  ],
  control: [
    [
      'if',
      'read',
      'Continues with `then` or `else`, depending on a condition. Result: `{next}`.',
      {
        'if!': CONDITION,
        'then!': {
          ...BRANCH,
          description:
            'If the condition is true: the id of the next step; or a list of steps to run before the step that follows; or null to end the run.',
        },
        else: {
          ...BRANCH,
          description: 'If the condition is false: same values as `then`. Default: null, which ends the run.',
          default: null,
        },
      },
      ['then', 'else'],
    ],
    [
      'goto',
      'read',
      'Continues with another step.',
      { 'to!': text('Id of a step in this list of steps, or in a list around it.', STEP_ID) },
      ['to'],
    ],
    [
      'return',
      'read',
      'Ends the run.',
      {
        data: anything('The `data` of the answer to the caller.'),
        summary: text('Summary in one line, for people.'),
        ui: UI_NODE,
        status_code: integer('HTTP status of the answer to a webhook.', 200, 599),
        headers: map('Headers of the answer to a webhook.', { type: 'string' }),
        body: anything('Body of the answer to a webhook: a text is sent unchanged, any other value as JSON.'),
        body_base64: text('Body of the answer to a webhook as base64, for bytes. Use either `body` or `body_base64`.'),
      },
    ],
    [
      'fail',
      'read',
      'Ends the run with an error.',
      {
        'error!': text('Error message for people.', { minLength: 1 }),
        code: text('Error code for programs.', {
          pattern: '^[A-Z][A-Z0-9_]{2,63}$',
          patternErrorMessage: 'must be 3 to 64 capital letters, digits and "_", such as "NOT_CONNECTED"',
        }),
        retryable: flag('True if a retry can succeed.', false),
      },
    ],
  ],
  ui: [
    [
      'navigate',
      'read',
      'Opens an address for the user.',
      { 'url!': text('Address to open.', { minLength: 1 }), target: text('Place in which the client opens it.') },
    ],
    [
      'send',
      'read',
      'Shows a message to the user.',
      {
        'message!': text('Text of the message.', { minLength: 1 }),
        channel: text('Channel in which to show it.'),
        metadata: map('Additional data.'),
      },
    ],
    [
      'open',
      'read',
      'Opens a panel.',
      { 'target!': text('Id of the panel.', { minLength: 1 }), params: map('Parameters for the panel.') },
    ],
    [
      'render',
      'read',
      'Returns a UI node to the caller as `ui`: either `node`, or `type` and `props`.',
      { node: UI_NODE, type: text('Type of the UI node.', { minLength: 1 }), props: map('Props of the UI node.') },
    ],
  ],
};

/** All actions, except those of `call` and `emit`, which are names of functions and events. */
export const operations: readonly Operation[] = Object.entries(ROWS).flatMap(([kind, rows]) =>
  rows.map(([action, effect, description, params, literal = []]) => ({
    kind: kind as StepKind,
    action,
    description,
    effect,
    params: object(description, params),
    literal,
  })),
);

const CALL_PARAMS = map('Params of the function.');

export const CALL = {
  kind: 'call',
  action: callAction('Function to call: `function` of this app, or `app_id.function`.'),
  description: 'Calls a function. Result: its answer.',
  params: object('', { params: { ...CALL_PARAMS, default: {} } }),
  /** Form in envelopes. */
  args: object('', {
    'function!': functionName('Function to call.'),
    app_id: nullable(appId('App of the function. Default: this app.')),
    params: { ...CALL_PARAMS, default: {} },
  }),
} as const;

const EMIT_DATA = anything('The `data` of the event.');

export const EMIT = {
  kind: 'emit',
  action: eventType('Type of the event. It begins with the id of this app and a dot.'),
  description: 'Publishes an event of this app. Result: `{emitted}`.',
  params: object('', { data: EMIT_DATA }),
  args: object('', { 'type!': eventType('Type of the event.'), data: EMIT_DATA }),
} as const;

const BY_NAME = new Map(operations.map((operation) => [`${operation.kind}.${operation.action}`, operation]));

export const findOperation = (kind: string, action: string): Operation | undefined => BY_NAME.get(`${kind}.${action}`);

export const actionsOf = (kind: string): string[] =>
  operations.filter((operation) => operation.kind === kind).map(({ action }) => action);

/** Short names of actions in envelopes. All others are named `kind.action`. */
export const SHORT_OPS = { navigate: 'ui.navigate', send: 'ui.send', open: 'ui.open' } as const;
