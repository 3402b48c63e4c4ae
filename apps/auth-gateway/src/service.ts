import { LIMITS } from '@platform/app-document';
import { REQUEST_EXAMPLES } from '@platform/contracts';
import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';

const AUTH_BODY_BYTES = 64 * 1024;
/** Everybody may send these, and none has more than a few. */
const AUTH_BODY_KEYS = 100;
const AUTH_BODY_VALUES = 1_000;
const INTERNAL_BODY_BYTES = 1024 * 1024;
const INTERNAL_BODY_KEYS = 10_000;
/** More than the data of an event can hold. */
const INTERNAL_BODY_VALUES = 100_000;
/** Params may be long lists. */
const CALL_BODY_BYTES = 1024 * 1024;
const CALL_BODY_VALUES = 50_000;

/** What `main.ts`, `worker.ts`, the tests and the OpenAPI export start. */
export const authGateway = (config: Config, { own, ...others }: Record<string, string> & { own?: string } = {}): ServiceDefinition => ({
  name: 'auth-gateway',
  config,
  module: AppModule.register(config),
  bodyLimits: [
    { prefix: '/v1/auth/', bytes: AUTH_BODY_BYTES, keys: AUTH_BODY_KEYS, values: AUTH_BODY_VALUES },
    { prefix: '/v1/developer/apps/', bytes: LIMITS.bodyBytes, keys: LIMITS.bodyKeys, values: LIMITS.bodyValues },
    { prefix: '/v1/extensions/developer/', bytes: LIMITS.bodyBytes, keys: LIMITS.bodyKeys, values: LIMITS.bodyValues },
    { prefix: '/v1/extensions/', bytes: CALL_BODY_BYTES, values: CALL_BODY_VALUES },
    // What handlers of apps make: calls of other apps, events, notifications.
    { prefix: '/v1/internal/', bytes: INTERNAL_BODY_BYTES, keys: INTERNAL_BODY_KEYS, values: INTERNAL_BODY_VALUES },
  ],
  // The bytes of a webhook are signed as they come.
  unreadBodies: ['/v1/webhooks/'],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
  about: {
    name: 'Cloud Platform',
    description: 'This is the gateway, which programs call. People use the panel.',
    panel: config.PANEL_URL,
    docs: `${config.PUBLIC_URL}/docs`,
    openapi: `${config.PUBLIC_URL}/v1/openapi.json`,
  },
  openApi: {
    service: 'auth-gateway',
    title: 'Cloud Platform: Auth Gateway',
    description: 'Identity, sessions and everything else that clients of the platform call.',
    tags: TAGS,
    examples: REQUEST_EXAMPLES,
    file: own,
    others,
  },
});

const TAGS = {
  Auth: 'Sign-up, sign-in, passwords and the caller themselves.',
  'Command-line login': 'How a terminal signs in: a code that a browser hands over, or one that a person types (RFC 8628, with PKCE).',
  Sessions: 'Where a person is signed in, and how they end it.',
  'API keys': 'Credentials for programs, as narrow as their scopes.',
  'Roles and users': 'The people of a tenant and what they may do.',
  Scopes: 'The permissions that roles, users and API keys are given.',
  Agencies: 'Groups of people within a tenant, with their own look.',
  Tenants: 'Organisations on this platform, kept apart from each other.',
  Audit: 'Who did what, when and from where.',
  'Marketplace and me': 'Finding, installing and rating apps, and what the caller has.',
  'Developer portal': 'Creating, deploying, submitting and watching apps.',
  Billing: 'Wallets, plans, limits and payments.',
  Extensions: 'The apps a user can run, and who may.',
  'Extension calls': 'Calling functions of apps, one or several, with confirmation where it is needed.',
  Events: 'What happens, as it happens.',
  'Webhook endpoints': 'What happens, posted to the addresses of a tenant.',
  Actions: 'The calls that were made, with their costs and results.',
  Automations: 'What happens by itself: at a time, or when an event comes.',
  Administration: 'What operators of the platform decide about apps and developers.',
};
