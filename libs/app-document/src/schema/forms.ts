import { CATEGORY_IDS, HTTP_METHODS, PANEL_SLOTS, SETTING_TYPES } from '../document.js';
import { LIMITS } from '../limits.js';
import {
  appId,
  collection,
  egressHost,
  eventPattern,
  eventType,
  functionName,
  headerName,
  ownEvent,
  redirectHost,
  secretName,
  semver,
  settingName,
  shortName,
  STEP_ID,
  webAddress,
  webhookPath,
} from './names.js';
import { CODE_PLACE, MODULES } from './modules.js';
import { flag, integer, list, map, nullable, object, oneOfTexts, text, type Schema } from './schema.js';

/**
 * Schemas of the inner parts of a document. To read a document, each is any value of its type,
 * because the parts are read one by one; for editors, each is the full schema.
 */
export interface Inner {
  /** `{kind: declarative, steps}` or `{kind: code, …}`. */
  implementation: Schema;
  render: Schema;
  /** Steps of a handler, and top-level steps of the simple form, which can also declare things. */
  steps: Schema;
  topLevelSteps: Schema;
}

const LONG_TEXT = { default: '', maxLength: 10_000 };
const NAME = { minLength: 1, maxLength: 200 };
const description = (of: string) => text(of, LONG_TEXT);

const functionParts = {
  description: description('Description of the function, for people and AI models.'),
  action_type: nullable(
    text('Effect of the function. Default: the strongest effect of its steps.', {
      enum: ['read', 'write', 'destructive', null],
    }),
  ),
  params_schema: nullable(
    map(
      'JSON Schema 2020-12 of the parameters, of type `object`; or only its `properties`. Patterns use RE2: no lookaround, no backreferences.',
    ),
  ),
  return_schema: nullable(map('JSON Schema 2020-12 of the result.')),
  required_scopes: list('Scopes that the caller must have.', text('A scope.', NAME), { default: ['*'], maxItems: 50 }),
  effects: list('Effects of the function, for people.', text('An effect.', NAME), { default: [], maxItems: 50 }),
  event: nullable(ownEvent('Event to publish as `<app_id>.<event>` after each success.')),
};

const ONE_METHOD = {
  pattern: `^(${HTTP_METHODS.join('|')})$`,
  patternErrorMessage: `must be one of ${HTTP_METHODS.join(', ')}`,
};

const webhookParts = {
  method: {
    ...text('HTTP method, or a list of methods. Several webhooks can have the same path with different methods.', {
      ...ONE_METHOD,
      default: 'POST',
      examples: [...HTTP_METHODS],
    }),
    type: ['string', 'array'],
    items: text('An HTTP method.', ONE_METHOD),
    minItems: 1,
    uniqueItems: true,
  },
  secret_header: nullable(
    headerName(
      'Name of the header with the signature. The steps must verify the signature, with `crypto.hmac_verify`.',
    ),
  ),
  inbox: flag(
    'True: requests are stored and answered with 202 immediately. The steps run afterwards, with retries for hours after a failure.',
    false,
  ),
  redirect_hosts: list(
    'Hosts to which its answers can redirect by https, in addition to the platform.',
    redirectHost('A host name.'),
    {
      default: [],
      maxItems: 20,
    },
  ),
  description: description('Description of the caller, for people.'),
};

const scheduleParts = {
  'cron!': text(
    'Cron expression in UTC: minute, hour, day of month, month, day of week. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`.',
    {
      examples: ['*/15 * * * *', '0 7 * * 1-5', '@hourly'],
      maxLength: 100,
    },
  ),
  for_each_user: nullable(
    collection('Collection. The schedule runs once for each user with a document in it. Null: it runs once.'),
  ),
  description: description('Purpose of the schedule, for people.'),
};

const CODE = object('Implementation in JavaScript, instead of `steps`.', CODE_PLACE);

/**
 * Schemas of the names and the params of steps that declare something, with either `steps` or
 * `code`.
 */
export const declarations = ({ steps }: Inner) => ({
  function: {
    name: functionName('Name of the function.'),
    params: object('', { ...functionParts, steps, code: CODE }),
  },
  webhook: { name: webhookPath('Path of the webhook.'), params: object('', { ...webhookParts, steps, code: CODE }) },
  schedule: { name: shortName('Name of the schedule.'), params: object('', { ...scheduleParts, steps, code: CODE }) },
  event: {
    name: eventPattern('Type of the events to handle; `notes.*` matches all types that begin with `notes.`.'),
    params: object('', { steps, code: CODE }),
  },
});

const subscription = (implementation: Schema): Schema =>
  object('A handler for events, with `handler` or `impl`.', {
    'type!': eventPattern('Type of the events; `notes.*` matches all types that begin with `notes.`.'),
    handler: functionName('Function of this app that is called with the event as its params.'),
    impl: implementation,
  });

const EMISSION: Schema = {
  ...object('An event that the app publishes.', {
    'type!': eventType('Type of the event. It begins with the id of the app and a dot.'),
    schema_ref: nullable(text('Reference to a description of its data.', { maxLength: 500 })),
    payload_schema: nullable(
      map('JSON Schema 2020-12 of its data. The data is validated when the event is published.'),
    ),
  }),
  type: ['string', 'object'],
  maxLength: 150,
};

const secret = object('A secret that the app needs.', {
  'name!': secretName('Name of the secret, for `secret.get`.'),
  description: description('Description of the secret and where to get it.'),
  scope: oneOfTexts(['user', 'app'], '`user`: each user has a value. `app`: one value for all users.', {
    default: 'user',
  }),
  write_mode: oneOfTexts(
    ['user', 'extension', 'both'],
    'Parties that can set the secret: the user, the app (`extension`), or both.',
    {
      default: 'user',
    },
  ),
  max_bytes: integer('Maximum size in bytes of UTF-8.', 1, 65_536, { default: 4096 }),
  required: flag('True if the app does not work without it.', false),
  rotation_hint_days: nullable(integer('Days after which to replace the value.', 1, 3650)),
});

const setting = object('A setting that `config.get` reads.', {
  'name!': settingName('Dotted name of the setting, such as `mail.sender`.'),
  'type!': oneOfTexts(SETTING_TYPES, 'Type of the value.'),
  title: text('Title of the setting, for people.', { default: '', maxLength: 200 }),
  description: description('Description of the setting, for people.'),
  default: { description: 'Default value.', default: null },
  enum: {
    type: ['array', 'null'],
    description: 'Allowed values. Null: any value of the type.',
    minItems: 1,
    maxItems: 100,
    default: null,
  },
});

/** Schemas of the parts that both forms can declare in addition to functions. */
const shared = ({ implementation, render }: Inner) => ({
  description: description('Description of the app.'),
  icon: nullable(text('Icon: an emoji, the address of an image, or SVG.', { minLength: 1, maxLength: 65_536 })),
  homepage: webAddress('Web page with more information about the app.'),
  license: text('Licence of the app, such as `MIT`.', { minLength: 1, maxLength: 100 }),
  category: oneOfTexts(CATEGORY_IDS, 'Category in the marketplace.'),
  hosts: list(
    'Hosts to which the app can send requests, in addition to the hosts in plain addresses of its steps; `*` is any host. Default: the hosts in its steps and its code.',
    egressHost('A host name.'),
    { maxItems: LIMITS.hosts },
  ),
  capabilities: list(
    'Capabilities of `ctx`, such as `notify`, whose names are not in the code; and scopes to request from users, such as `notes:read`.',
    text('A capability.', NAME),
    { default: [], maxItems: 50 },
  ),
  events: {
    ...object('Events that the app handles and publishes.', {
      subscribes: list('Handlers for events.', subscription(implementation), {
        default: [],
        maxItems: LIMITS.subscriptions,
      }),
      emits: list('Events that the app publishes. Events of steps and functions need no entry.', EMISSION, {
        default: [],
        maxItems: LIMITS.emissions,
      }),
    }),
    type: ['object', 'null'],
    default: null,
  },
  skeleton: {
    ...list(
      'Sections of the initial state of a session.',
      object('A section.', {
        'section!': shortName('Name of the section.'),
        'producer!': implementation,
        shape: { ...map('Shape of its data.'), default: {} },
        alert: flag('True: the user is notified of changes.', false),
        ttl: integer('Seconds until the section is created again.', 5, 86_400, { default: 300 }),
      }),
      { maxItems: LIMITS.skeleton },
    ),
    type: ['array', 'null'],
    default: null,
  },
  ui: {
    ...object('User interface of the app.', {
      panels: list(
        'Panels.',
        object('A panel.', {
          'panel_id!': shortName('Id of the panel.'),
          'slot!': oneOfTexts(PANEL_SLOTS, 'Position of the panel.'),
          title: text('Title of the panel.', { default: '', maxLength: 200 }),
          icon: nullable(text('Icon: an emoji or the name of an icon.', { maxLength: 200 })),
          'render!': render,
        }),
        { default: [], maxItems: LIMITS.panels },
      ),
    }),
    type: ['object', 'null'],
    default: null,
  },
  modules: MODULES,
  secrets: list('Secrets that the app needs.', secret, { default: [], maxItems: LIMITS.secrets }),
  settings: list('Settings that the app reads.', setting, { default: [], maxItems: LIMITS.settings }),
});

const editorSchema = text('Address of the schema of this file, for editors.', { maxLength: 2000 });
const irVersion = (extra: Schema = {}) => oneOfTexts(['1.0'], 'Version of this format.', extra);
const appIdentity = appId('Id of the app. It never changes.');
const version = semver(
  'Semantic version of the app. While the app is a draft, you can deploy the same version again with other content. From the first review on, every change needs a new version.',
);

export const simpleForm = (inner: Inner): Schema =>
  object('An app as a list of steps that declare functions and triggers. All other steps form the function `main`.', {
    $schema: editorSchema,
    'app_id!': appIdentity,
    'version!': version,
    name: nullable(text('Name of the app, for people. Default: its id.', NAME)),
    ir_version: irVersion({ default: '1.0' }),
    ...shared(inner),
    'steps!': inner.topLevelSteps,
  });

export const envelopeForm = (inner: Inner): Schema =>
  object('An app as separate parts. Documents are stored in this form.', {
    $schema: editorSchema,
    'ir_version!': irVersion(),
    sdl_vocab_version: oneOfTexts(['1'], 'Accepted for older documents. Use `ir_version`.'),
    contract_version: oneOfTexts(['1.0'], 'Accepted for older documents. Use `ir_version`.'),
    'app!': object('The app.', {
      'id!': appIdentity,
      'version!': version,
      'title!': text('Name of the app, for people.', NAME),
      ...shared(inner),
      data: nullable(map('Stored with the document. Nothing reads it yet.')),
      functions: list(
        'Functions that can be called.',
        object('A function.', {
          'name!': functionName('Name of the function.'),
          ...functionParts,
          'impl!': inner.implementation,
        }),
        { default: [], maxItems: LIMITS.functions },
      ),
      webhooks: list(
        'Webhooks that other systems call, at `/v1/ext/<app id>/webhook/<path>`.',
        object('A webhook.', {
          'path!': webhookPath('Path of the webhook.'),
          ...webhookParts,
          'impl!': inner.implementation,
        }),
        { default: [], maxItems: LIMITS.webhooks },
      ),
      schedules: list(
        'Schedules.',
        object('A schedule.', {
          'name!': shortName('Name of the schedule.'),
          ...scheduleParts,
          'impl!': inner.implementation,
        }),
        { default: [], maxItems: LIMITS.schedules },
      ),
      automations: list('Stored with the document. Nothing reads them yet.', map('An automation.'), {
        default: [],
        maxItems: 100,
      }),
      lifecycle: nullable(map('Stored with the document. Nothing reads it yet.')),
    }),
  });

export const codeReference = object('A function in a module of the document.', {
  'kind!': { const: 'code' },
  ...CODE_PLACE,
});

export const declarative = (steps: Schema): Schema =>
  object('Steps, run in this order.', { 'kind!': { const: 'declarative' }, 'steps!': steps });

export const tree = (kind: 'static' | 'template'): Schema =>
  object(kind === 'static' ? 'A fixed tree of UI nodes.' : 'A tree of UI nodes with templates.', {
    'kind!': { const: kind },
    'tree!': map('A UI node.'),
  });

const ID = text('Id of the step.', STEP_ID);

/** The three forms of a step, without their params. */
export const stepShape = object('', {
  'id!': ID,
  'kind!': text(''),
  'action!': text(''),
  params: { type: 'object', default: {} },
});
export const opShape = object('', { 'id!': ID, 'op!': text(''), args: { type: 'object', default: {} } });
export const conditionalShape = object('', {
  'id!': ID,
  'op!': text(''),
  'if!': {},
  'then!': {},
  else: { default: null },
});
