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

/** What the parts of a document are that are looked at one by one: any of that type when a document is read, described for editors. */
export interface Inner {
  /** `{kind: declarative, steps}` or `{kind: code, …}`. */
  implementation: Schema;
  render: Schema;
  /** The list of a handler, and the one of the simple form, which declares things too. */
  steps: Schema;
  topLevelSteps: Schema;
}

const LONG_TEXT = { default: '', maxLength: 10_000 };
const NAME = { minLength: 1, maxLength: 200 };
const description = (of: string) => text(of, LONG_TEXT);

const functionParts = {
  description: description('What it does, for people and for language models.'),
  action_type: nullable(
    text('What it does to the world. Left out: the strongest of what its steps do.', { enum: ['read', 'write', 'destructive', null] }),
  ),
  params_schema: nullable(
    map(
      'JSON Schema 2020-12 of the params, of type `object`; or just its `properties`. Patterns are RE2: no lookaround, no backreferences.',
    ),
  ),
  return_schema: nullable(map('JSON Schema 2020-12 of the result.')),
  required_scopes: list('The scopes that the caller must hold.', text('A scope.', NAME), { default: ['*'], maxItems: 50 }),
  effects: list('What it changes, for people.', text('An effect.', NAME), { default: [], maxItems: 50 }),
  event: nullable(ownEvent('Published as `<app_id>.<event>` after each success.')),
};

const ONE_METHOD = { pattern: `^(${HTTP_METHODS.join('|')})$`, patternErrorMessage: `must be one of ${HTTP_METHODS.join(', ')}` };

const webhookParts = {
  method: {
    ...text('How it is called: a method, or a list of several. Another webhook may have the same path with other methods.', {
      ...ONE_METHOD,
      default: 'POST',
      examples: [...HTTP_METHODS],
    }),
    type: ['string', 'array'],
    items: text('A method.', ONE_METHOD),
    minItems: 1,
    uniqueItems: true,
  },
  secret_header: nullable(headerName('The header that carries the signature. The steps verify it, with `crypto.hmac_verify`.')),
  inbox: flag(
    'Whether requests are stored and answered 202 at once, and the steps run afterwards: again when they fail, for hours.',
    false,
  ),
  redirect_hosts: list('Where its answers may redirect to by https, beside the platform.', redirectHost('A host.'), {
    default: [],
    maxItems: 20,
  }),
  description: description('What calls it.'),
};

const scheduleParts = {
  'cron!': text('When: minute, hour, day of month, month, day of week, in UTC. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`.', {
    examples: ['*/15 * * * *', '0 7 * * 1-5', '@hourly'],
    maxLength: 100,
  }),
  for_each_user: nullable(collection('Runs once for each user who has a document in this collection.')),
  description: description('What for.'),
};

const CODE = object('What is done, in JavaScript, instead of `steps`.', CODE_PLACE);

/** The params of the steps that declare something: with either `steps` or `code`. */
export const declarations = ({ steps }: Inner) => ({
  function: { name: functionName('The name of the function.'), params: object('', { ...functionParts, steps, code: CODE }) },
  webhook: { name: webhookPath('The path of the webhook.'), params: object('', { ...webhookParts, steps, code: CODE }) },
  schedule: { name: shortName('The name of the schedule.'), params: object('', { ...scheduleParts, steps, code: CODE }) },
  event: {
    name: eventPattern('The type of the events to handle; `notes.*` stands for all that begin with `notes.`.'),
    params: object('', { steps, code: CODE }),
  },
});

const subscription = (implementation: Schema): Schema =>
  object('A handler of events: `handler` or `impl`.', {
    'type!': eventPattern('The type of the events; `notes.*` stands for all that begin with `notes.`.'),
    handler: functionName('The function of this app that gets the event as its params.'),
    impl: implementation,
  });

const EMISSION: Schema = {
  ...object('An event that the app publishes.', {
    'type!': eventType('Begins with the id of the app and a dot.'),
    schema_ref: nullable(text('Where its data is described.', { maxLength: 500 })),
    payload_schema: nullable(map('JSON Schema 2020-12 of its data, which is checked when the event is published.')),
  }),
  type: ['string', 'object'],
  maxLength: 150,
};

const secret = object('A secret that the app needs.', {
  'name!': secretName('The name, as `secret.get` takes it.'),
  description: description('What it is and where to get it.'),
  scope: oneOfTexts(['user', 'app'], 'One for each user, or one for all.', { default: 'user' }),
  write_mode: oneOfTexts(['user', 'extension', 'both'], 'Who may set it.', { default: 'user' }),
  max_bytes: integer('How long it may be.', 1, 65_536, { default: 4096 }),
  required: flag('Whether the app is of no use without it.', false),
  rotation_hint_days: nullable(integer('After how many days to replace it.', 1, 3650)),
});

const setting = object('A setting that `config.get` reads.', {
  'name!': settingName('The dotted name.'),
  'type!': oneOfTexts(SETTING_TYPES, 'The type of its value.'),
  title: text('What people read.', { default: '', maxLength: 200 }),
  description: description('What it changes.'),
  default: { description: 'The value unless somebody sets another.', default: null },
  enum: { type: ['array', 'null'], description: 'The only values that it may have.', minItems: 1, maxItems: 100, default: null },
});

/** What both forms may declare beside functions. */
const shared = ({ implementation, render }: Inner) => ({
  description: description('What the app does.'),
  icon: nullable(text('An emoji, the address of an image, or SVG.', { minLength: 1, maxLength: 65_536 })),
  homepage: webAddress('Where people read more about the app.'),
  license: text('Under which licence it is, such as `MIT`.', { minLength: 1, maxLength: 100 }),
  category: oneOfTexts(CATEGORY_IDS, 'What the marketplace files it under.'),
  hosts: list(
    'The only hosts that it sends requests to, beside those in plain addresses of its steps; `*` stands for all. Left out: the addresses in its steps and its code.',
    egressHost('A host.'),
    { maxItems: LIMITS.hosts },
  ),
  capabilities: list(
    'What of `ctx` its code uses without naming it, such as `notify`, and scopes that it asks its users for, such as `notes:read`.',
    text('A capability.', NAME),
    { default: [], maxItems: 50 },
  ),
  events: {
    ...object('Events of the bus.', {
      subscribes: list('What the app handles.', subscription(implementation), { default: [], maxItems: LIMITS.subscriptions }),
      emits: list('What the app publishes. Steps and functions that publish something need no entry.', EMISSION, {
        default: [],
        maxItems: LIMITS.emissions,
      }),
    }),
    type: ['object', 'null'],
    default: null,
  },
  skeleton: {
    ...list(
      'What sessions of the user begin with.',
      object('A part of it.', {
        'section!': shortName('Its name.'),
        'producer!': implementation,
        shape: { ...map('What it looks like.'), default: {} },
        alert: flag('Whether to tell the user of changes.', false),
        ttl: integer('After how many seconds it is made again.', 5, 86_400, { default: 300 }),
      }),
      { maxItems: LIMITS.skeleton },
    ),
    type: ['array', 'null'],
    default: null,
  },
  ui: {
    ...object('What the app shows.', {
      panels: list(
        'The panels.',
        object('A panel.', {
          'panel_id!': shortName('Its name.'),
          'slot!': oneOfTexts(PANEL_SLOTS, 'Where it is shown.'),
          title: text('Its title.', { default: '', maxLength: 200 }),
          icon: nullable(text('An emoji or the name of an icon.', { maxLength: 200 })),
          'render!': render,
        }),
        { default: [], maxItems: LIMITS.panels },
      ),
    }),
    type: ['object', 'null'],
    default: null,
  },
  modules: MODULES,
  secrets: list('The secrets that the app needs.', secret, { default: [], maxItems: LIMITS.secrets }),
  settings: list('The settings that the app reads.', setting, { default: [], maxItems: LIMITS.settings }),
});

const editorSchema = text('Where editors find the schema of this file.', { maxLength: 2000 });
const irVersion = (extra: Schema = {}) => oneOfTexts(['1.0'], 'The version of this format.', extra);
const appIdentity = appId('The id of the app. It never changes.');
const version = semver(
  'While the app is a draft, a version may be deployed again with other content. From its review on its versions never change: increase it.',
);

export const simpleForm = (inner: Inner): Schema =>
  object('An app as a list of steps, which declare functions and triggers. The others form the function `main`.', {
    $schema: editorSchema,
    'app_id!': appIdentity,
    'version!': version,
    name: nullable(text('What people call the app; its id unless told.', NAME)),
    ir_version: irVersion({ default: '1.0' }),
    ...shared(inner),
    'steps!': inner.topLevelSteps,
  });

export const envelopeForm = (inner: Inner): Schema =>
  object('An app in its parts. What is stored has this form.', {
    $schema: editorSchema,
    'ir_version!': irVersion(),
    sdl_vocab_version: oneOfTexts(['1'], 'Says nothing more than `ir_version`.'),
    contract_version: oneOfTexts(['1.0'], 'Says nothing more than `ir_version`.'),
    'app!': object('The app.', {
      'id!': appIdentity,
      'version!': version,
      'title!': text('What people call the app.', NAME),
      ...shared(inner),
      data: nullable(map('Kept with the document; nothing reads it yet.')),
      functions: list(
        'What can be called.',
        object('A function.', { 'name!': functionName('Its name.'), ...functionParts, 'impl!': inner.implementation }),
        { default: [], maxItems: LIMITS.functions },
      ),
      webhooks: list(
        'What other systems call, at `/v1/ext/<app id>/webhook/<path>`.',
        object('A webhook.', { 'path!': webhookPath('Its path.'), ...webhookParts, 'impl!': inner.implementation }),
        { default: [], maxItems: LIMITS.webhooks },
      ),
      schedules: list(
        'What runs by the clock.',
        object('A schedule.', { 'name!': shortName('Its name.'), ...scheduleParts, 'impl!': inner.implementation }),
        { default: [], maxItems: LIMITS.schedules },
      ),
      automations: list('Kept with the document; nothing reads them yet.', map('An automation.'), { default: [], maxItems: 100 }),
      lifecycle: nullable(map('Kept with the document; nothing reads it yet.')),
    }),
  });

export const codeReference = object('A function in a module of the document.', { 'kind!': { const: 'code' }, ...CODE_PLACE });

export const declarative = (steps: Schema): Schema =>
  object('Steps, one after the other.', { 'kind!': { const: 'declarative' }, 'steps!': steps });

export const tree = (kind: 'static' | 'template'): Schema =>
  object(kind === 'static' ? 'Always the same.' : 'Filled in by templates.', { 'kind!': { const: kind }, 'tree!': map('A UI node.') });

const ID = text('Names the step.', STEP_ID);

/** The three ways to write a step, its params aside. */
export const stepShape = object('', { 'id!': ID, 'kind!': text(''), 'action!': text(''), params: { type: 'object', default: {} } });
export const opShape = object('', { 'id!': ID, 'op!': text(''), args: { type: 'object', default: {} } });
export const conditionalShape = object('', { 'id!': ID, 'op!': text(''), 'if!': {}, 'then!': {}, else: { default: null } });
