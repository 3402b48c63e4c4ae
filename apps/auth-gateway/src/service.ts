import { LIMITS } from '@platform/app-document';
import { REQUEST_EXAMPLES } from '@platform/contracts';
import { serviceWorkers } from '@platform/messaging';
import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';

const AUTH_BODY_BYTES = 64 * 1024;
/** Small, because these routes are public and their bodies have only a few keys. */
const AUTH_BODY_KEYS = 100;
const AUTH_BODY_VALUES = 1_000;
const INTERNAL_BODY_BYTES = 1024 * 1024;
const INTERNAL_BODY_KEYS = 10_000;
/** More than the data of an event can hold. */
const INTERNAL_BODY_VALUES = 100_000;
/** Large, because parameters can contain long lists. */
const CALL_BODY_BYTES = 1024 * 1024;
const CALL_BODY_VALUES = 50_000;

/**
 * Defines the gateway as a service: its modules, the limits of request bodies, its database, its
 * workers and its OpenAPI document. Starts nothing. `main.ts`, `worker.ts`, the tests and the
 * OpenAPI export use it.
 *
 * @param own path of the gateway's exported OpenAPI document; the other keys are those of other
 * services, which the gateway also serves.
 */
export const authGateway = (
  config: Config,
  { own, ...others }: Record<string, string> & { own?: string } = {},
): ServiceDefinition => ({
  name: 'auth-gateway',
  config,
  module: AppModule.register(config),
  bodyLimits: [
    { prefix: '/v1/auth/', bytes: AUTH_BODY_BYTES, keys: AUTH_BODY_KEYS, values: AUTH_BODY_VALUES },
    { prefix: '/v1/developer/apps/', bytes: LIMITS.bodyBytes, keys: LIMITS.bodyKeys, values: LIMITS.bodyValues },
    { prefix: '/v1/extensions/developer/', bytes: LIMITS.bodyBytes, keys: LIMITS.bodyKeys, values: LIMITS.bodyValues },
    { prefix: '/v1/extensions/', bytes: CALL_BODY_BYTES, values: CALL_BODY_VALUES },
    // Requests of app handlers: calls of other apps, events, notifications.
    { prefix: '/v1/internal/', bytes: INTERNAL_BODY_BYTES, keys: INTERNAL_BODY_KEYS, values: INTERNAL_BODY_VALUES },
  ],
  // The signature of a webhook covers its original bytes.
  unreadBodies: ['/v1/webhooks/'],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
  workers: serviceWorkers,
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
  Auth: 'Sign-up, sign-in, passwords and the account of the caller.',
  'Command-line login':
    'Sign-in of a command line: the browser passes a code to it, or the user types one (RFC 8628, with PKCE).',
  Sessions: 'Devices on which a user is signed in, and sign-out.',
  'API keys': 'Credentials for programs, limited by scopes.',
  'Roles and users': 'Users of a tenant and their permissions.',
  Scopes: 'Permissions for roles, users and API keys.',
  Agencies: 'Groups of users within a tenant, with their own branding.',
  Tenants: 'Organisations on this platform. The data of each is separate.',
  Audit: 'Log of actions, with the actor, the time and the client address.',
  'Marketplace and me': "Finding, installing and rating apps, and the caller's installed apps.",
  'Developer portal': 'Creating, deploying, submitting and watching apps.',
  Billing: 'Wallets, plans, limits and payments.',
  Extensions: 'Apps that a user can call, and access to them.',
  'Extension calls': 'Calls of functions of apps, one or several at once, with confirmation if it is required.',
  Events: 'Live stream of events.',
  'Webhook endpoints': 'Delivery of events to web addresses of a tenant.',
  Actions: 'Calls that were made, with their costs and results.',
  Automations: 'Rules that run actions at certain times or after certain events.',
  Administration: 'Decisions of operators about apps and developers.',
};
