import { REQUEST_EXAMPLES } from '@platform/contracts';
import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { RegistryAppModule } from './app.module.js';
import type { Config } from './config.js';

/** A manifest has two lists of at most 1 MiB each. */
const MANIFEST_BODY_BYTES = 2 * 1024 * 1024;
const MANIFEST_BODY_KEYS = 50_000;
const MANIFEST_BODY_VALUES = 100_000;

/**
 * Defines the registry, as `main.ts`, the tests and the OpenAPI export start it.
 *
 * @param document the file with the OpenAPI document.
 */
export const registry = (config: Config, document?: string): ServiceDefinition => ({
  name: 'registry',
  config,
  module: RegistryAppModule.register(config),
  bodyLimits: [
    { prefix: '/v1/apps/', bytes: MANIFEST_BODY_BYTES, keys: MANIFEST_BODY_KEYS, values: MANIFEST_BODY_VALUES },
  ],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
  openApi: {
    service: 'registry',
    file: document,
    title: 'Cloud Platform: Registry',
    description: 'The app catalog, tool manifests, runtime settings and installs.',
    tags: { Registry: 'The catalog of apps, the manifests of their functions, their settings and installs.' },
    examples: REQUEST_EXAMPLES,
  },
});
