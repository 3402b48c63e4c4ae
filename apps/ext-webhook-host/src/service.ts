import { LIMITS } from '@platform/app-document';
import { serviceWorkers } from '@platform/messaging';
import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { HostAppModule } from './app.module.js';
import type { Config } from './config.js';

/**
 * Defines the host, as `main.ts`, `worker.ts`, the tests and the OpenAPI export start it.
 *
 * @param document the file with the OpenAPI document.
 */
export const extWebhookHost = (config: Config, document?: string): ServiceDefinition => ({
  name: 'ext-webhook-host',
  config,
  module: HostAppModule.register(config),
  unreadBodies: ['/v1/ext/'],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
  workers: serviceWorkers,
  bodyLimits: [
    // Params, at the size that the gateway accepts, and the user.
    { prefix: '/v1/internal/runs', bytes: 2 * 1024 * 1024, keys: 10_000, values: 100_000 },
    // A document and params.
    {
      prefix: '/v1/internal/smoke-tests',
      bytes: LIMITS.bodyBytes + 1024 * 1024,
      keys: LIMITS.bodyKeys + 10_000,
      values: LIMITS.bodyValues + 100_000,
    },
    // The gateway has the same limit for requests of the host, so it can hand over every event that
    // it accepted.
    { prefix: '/v1/internal/', bytes: 1024 * 1024, keys: 10_000, values: 100_000 },
  ],
  openApi: {
    service: 'ext-webhook-host',
    file: document,
    title: 'Cloud Platform: Extension Webhook Host',
    description: 'Runs deployed extensions: functions, webhooks, schedules and event handlers.',
    tags: { 'Inbound extension webhook': 'Requests of other systems to apps. Each app verifies its senders itself.' },
  },
});
