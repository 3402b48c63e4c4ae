import type { ActionType } from '@platform/contracts';
import { type StepKind } from '../document.js';
import { callAction, collection, eventType, functionName, appId, secretName, settingName, STEP_ID } from './names.js';
import { anything, flag, integer, list, map, nullable, object, oneOfTexts, text, type Schema } from './schema.js';

/** What a step does. */
export interface Operation {
  kind: StepKind;
  action: string;
  description: string;
  /** What it does to the world; of `call`, its target decides. */
  effect: ActionType;
  params: Schema;
  /** Params that name steps or hold them: no templates. */
  literal: readonly string[];
}

const DOCUMENT = map('The fields of the document.');
const WHERE = map('Fields and the values that they must equal.');
const COLLECTION = collection('The collection. Each app, tenant and user has its own.');
const DOCUMENT_ID = text('The id of the document.', { minLength: 1 });
const DOCUMENT_IDS = list('The ids of the documents.', text('An id.'), { maxItems: 1000 });
const SELECTION = { id: DOCUMENT_ID, ids: DOCUMENT_IDS, where: WHERE };
const CACHE_KEY = text('The key.', {
  pattern: '^[A-Za-z0-9_:-]{1,128}$',
  patternErrorMessage: 'must be 1 to 128 letters, digits, "_", ":" and "-"',
});
const SECRET = text('The shared secret, mostly `{{ steps.<id>.value }}` of a `secret.get`.');
const SIGNED = {
  'data!': text('What is signed: the exact bytes, such as `{{ event.body }}`.'),
  'secret!': SECRET,
  algorithm: oneOfTexts(['sha256', 'sha512', 'sha1'], 'The hash.', { default: 'sha256' }),
  encoding: oneOfTexts(['hex', 'base64'], 'How the signature is written.', { default: 'hex' }),
  prefix: text('What stands before the signature, such as `sha256=`.', { default: '' }),
};
const ITEMS = { type: 'array', description: 'The list.' };
export const CONDITION = { type: 'object', description: 'When it is true.' };
const UI_NODE = map('A UI node: `type` and `props`.');
const BRANCH = { type: ['string', 'array', 'null'], ...STEP_ID };

const HTTP = {
  'url!': text('The address. Public hosts only.', { minLength: 1, maxLength: 8192 }),
  headers: map('Headers to send.', { type: 'string' }),
  query: map('Query parameters to add to the URL.'),
  timeout: { type: 'number', description: 'Seconds.', minimum: 1, maximum: 180, default: 30 },
};
const HTTP_WITH_BODY = {
  ...HTTP,
  json: anything('A body, sent as JSON.'),
  body: text('A body, sent as it is. Instead of `json`.'),
};

type Row = [action: string, effect: ActionType, description: string, params: Record<string, Schema>, literal?: string[]];

const ROWS: Record<Exclude<StepKind, 'call' | 'emit'>, Row[]> = {
  store: [
    ['create', 'write', 'Adds a document. Result: `{id}`.', { 'kind!': COLLECTION, 'data!': DOCUMENT }],
    ['get', 'read', 'Reads a document. Result: `{doc}`, null when there is none.', { 'kind!': COLLECTION, 'id!': DOCUMENT_ID }],
    [
      'list',
      'read',
      'Finds documents. Result: `{docs, ids, count, cursor}`.',
      {
        'kind!': COLLECTION,
        where: WHERE,
        ids: DOCUMENT_IDS,
        limit: integer('How many at most.', 1, 1000, { default: 100 }),
        order_by: text('The field to sort by; with `-` in front, the largest first.', { minLength: 1, maxLength: 200 }),
        cursor: text('Where to go on: `cursor` of the page before.'),
      },
    ],
    [
      'update',
      'write',
      'Changes fields of one or up to 1000 documents. Result: `{ids, count}`.',
      { 'kind!': COLLECTION, ...SELECTION, 'set!': map('The fields to change.') },
    ],
    ['delete', 'destructive', 'Deletes one or up to 1000 documents. Result: `{count}`.', { 'kind!': COLLECTION, ...SELECTION }],
    [
      'once',
      'write',
      'Takes up an event from outside, which no other run then does. Result: `{first}`, false when it was done before.',
      { 'event_id!': text('The id that its sender gave it.', { minLength: 1, maxLength: 255 }) },
    ],
    ['count', 'read', 'Counts documents. Result: `{count}`.', { 'kind!': COLLECTION, where: WHERE }],
    [
      'set',
      'write',
      'Writes a document under this id, new or not. Result: `{id}`.',
      { 'kind!': COLLECTION, 'id!': DOCUMENT_ID, 'data!': DOCUMENT },
    ],
  ],
  cache: [
    ['get', 'read', 'Reads a value. Result: `{value}`, null when there is none.', { 'key!': CACHE_KEY }],
    [
      'set',
      'read',
      'Keeps a value for a while, at most 64 KiB. Result: `{value}`.',
      {
        'key!': CACHE_KEY,
        'value!': anything('Any JSON.'),
        ttl_seconds: integer('For how many seconds.', 5, 300, { default: 60 }),
      },
    ],
    ['delete', 'read', 'Forgets a value. Result: `{value: null}`.', { 'key!': CACHE_KEY }],
  ],
  config: [
    [
      'get',
      'read',
      'Reads a setting. Result: `{value}`.',
      { 'key!': settingName('The dotted name of the setting.'), default: anything('The value when the setting has none.') },
    ],
  ],
  secret: [['get', 'read', 'Reads a secret. Result: `{value}`, which appears in no trace.', { 'name!': secretName('A declared secret.') }]],
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
      'Asks the language model. Result: `{text, model, usage}`.',
      {
        'prompt!': text('What to ask.', { minLength: 1 }),
        model: text('Which model; the configured one unless told.'),
        temperature: { type: 'number', description: 'How free the answer is.', minimum: 0, maximum: 2 },
        max_tokens: integer('How long the answer may be.', 1, 200_000),
        output: anything('`json`, or a JSON Schema that the answer follows.'),
      },
    ],
  ],
  notify: [
    [
      'send',
      'write',
      'Notifies the user. Result: `{sent}`.',
      {
        'message!': text('What the user reads.', { minLength: 1 }),
        channel: text('By which way.', { default: 'in_app', minLength: 1, maxLength: 50 }),
        priority: oneOfTexts(['low', 'normal', 'high', 'urgent'], 'How urgent it is.', { default: 'normal' }),
        subject: text('A title.'),
        body: text('A longer text.'),
      },
    ],
  ],
  log: (['info', 'warning', 'error'] as const).map((level): Row => [
    level,
    'read',
    `Writes a line of level ${level} into the log of the app. Result: \`{}\`.`,
    { 'message!': text('The line.') },
  ]),
  crypto: [
    [
      'hmac_verify',
      'read',
      'Checks a signature in constant time. Result: `{valid}`.',
      {
        ...SIGNED,
        'signature!': text('The signature as it was received.'),
        timestamp: {
          type: ['string', 'number'],
          description: 'When it was signed, in seconds since 1970; refused when it is too far from now.',
        },
        tolerance: integer('How many seconds `timestamp` may be off.', 1, 86_400, { default: 300 }),
      },
    ],
    [
      'webhook_verify',
      'read',
      'Checks the signature of the request to a webhook, over its bytes, as a provider signs. Result: `{valid, reason}`.',
      {
        'scheme!': oneOfTexts(['github', 'stripe', 'slack', 'shopify', 'standard-webhooks'], 'Who signs, and so how.'),
        'secret!': SECRET,
        tolerance: integer('How many seconds a signed time may be off.', 1, 86_400, { default: 300 }),
      },
    ],
    ['hmac_sign', 'read', 'Signs. Result: `{signature}`.', SIGNED],
    [
      'sha256',
      'read',
      'Hashes a text. Result: `{digest}`.',
      { 'data!': text('The text.'), encoding: oneOfTexts(['hex', 'base64'], 'How the digest is written.', { default: 'hex' }) },
    ],
  ],
  transform: [
    ['set', 'read', 'Makes a value. Result: `{value}`.', { 'value!': anything('Any JSON.') }],
    [
      'pick',
      'read',
      'Takes some keys of an object. Result: `{value}`.',
      { 'from!': map('The object.'), 'keys!': list('The keys to keep.', text('A key.')) },
    ],
    [
      'map',
      'read',
      'Makes a value of each item, which templates name `item`. Result: `{value}`.',
      { 'items!': ITEMS, 'to!': anything('What becomes of an item, such as `{{ item.title }}`.') },
    ],
    [
      'filter',
      'read',
      'Keeps the items for which the condition is true; templates name the item `item`. Result: `{value}`.',
      { 'items!': ITEMS, 'if!': CONDITION },
    ],
    ['json_parse', 'read', 'Reads JSON. Result: `{value}`.', { 'text!': text('The JSON.') }],
    ['json_stringify', 'read', 'Writes JSON. Result: `{value}`.', { 'value!': anything('Any JSON.') }],
    ['now', 'read', 'The time, ISO 8601 in UTC. Result: `{value}`.', {}],
    ['uuid', 'read', 'A random UUID. Result: `{value}`.', {}],
  ],
  control: [
    [
      'if',
      'read',
      'Decides where to go on. Result: `{next}`.',
      {
        'if!': CONDITION,
        'then!': {
          ...BRANCH,
          description: 'The id of the step to go on with, steps to do before what follows, or null: the run ends.',
        },
        else: { ...BRANCH, description: 'Like `then`, for when the condition is false. Null, and so the end, unless told.', default: null },
      },
      ['then', 'else'],
    ],
    ['goto', 'read', 'Goes on with another step.', { 'to!': text('The id of a step of this list, or of one around it.', STEP_ID) }, ['to']],
    [
      'return',
      'read',
      'Ends the run.',
      {
        data: anything('What the caller gets as `data`.'),
        summary: text('A line for people.'),
        ui: UI_NODE,
        status_code: integer('Of the answer to a webhook.', 200, 599),
        headers: map('Of the answer to a webhook.', { type: 'string' }),
        body: anything('Of the answer to a webhook: a text as it is, anything else as JSON.'),
        body_base64: text('Of the answer to a webhook, instead of `body`: bytes.'),
      },
    ],
    [
      'fail',
      'read',
      'Ends the run with an error.',
      {
        'error!': text('What went wrong, for people.', { minLength: 1 }),
        code: text('What went wrong, for programs.', {
          pattern: '^[A-Z][A-Z0-9_]{2,63}$',
          patternErrorMessage: 'must be 3 to 64 capital letters, digits and "_", such as "NOT_CONNECTED"',
        }),
        retryable: flag('Whether to try again may help.', false),
      },
    ],
  ],
  ui: [
    [
      'navigate',
      'read',
      'Takes the user to an address.',
      { 'url!': text('The address.', { minLength: 1 }), target: text('Where to open it.') },
    ],
    [
      'send',
      'read',
      'Shows the user a message.',
      { 'message!': text('The message.', { minLength: 1 }), channel: text('Where to show it.'), metadata: map('Anything besides.') },
    ],
    ['open', 'read', 'Opens a panel.', { 'target!': text('The panel.', { minLength: 1 }), params: map('What the panel gets.') }],
    [
      'render',
      'read',
      'Gives the caller something to draw, as `ui`: a `node`, or `type` and `props` of one.',
      { node: UI_NODE, type: text('The type of the node.', { minLength: 1 }), props: map('The props of the node.') },
    ],
  ],
};

/** All but `call` and `emit`, whose actions are names. */
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

const CALL_PARAMS = map('The params of the function.');

export const CALL = {
  kind: 'call',
  action: callAction('The function to call: `function` of this app, or `app_id.function`.'),
  description: 'Calls a function. Result: what it answers.',
  params: object('', { params: { ...CALL_PARAMS, default: {} } }),
  /** As envelopes write it. */
  args: object('', {
    'function!': functionName('The function to call.'),
    app_id: nullable(appId('The app that it is of; this one unless told.')),
    params: { ...CALL_PARAMS, default: {} },
  }),
} as const;

const EMIT_DATA = anything('What subscribers get as `data`.');

export const EMIT = {
  kind: 'emit',
  action: eventType('The type of the event, which begins with the id of this app and a dot.'),
  description: 'Publishes an event of this app. Result: `{emitted}`.',
  params: object('', { data: EMIT_DATA }),
  args: object('', { 'type!': eventType('The type of the event.'), data: EMIT_DATA }),
} as const;

const BY_NAME = new Map(operations.map((operation) => [`${operation.kind}.${operation.action}`, operation]));

export const findOperation = (kind: string, action: string): Operation | undefined => BY_NAME.get(`${kind}.${action}`);

export const actionsOf = (kind: string): string[] => operations.filter((operation) => operation.kind === kind).map(({ action }) => action);

/** What envelopes call otherwise than `kind.action`. */
export const SHORT_OPS = { navigate: 'ui.navigate', send: 'ui.send', open: 'ui.open' } as const;
