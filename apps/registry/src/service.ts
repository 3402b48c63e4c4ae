import { connectDatabase } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';

/** What `main.ts`, the tests and the OpenAPI export start. */
export const registry = (config: Config): ServiceDefinition => ({
  name: 'registry',
  config,
  module: AppModule.register(config),
  connect: connectDatabase,
  openApi: {
    service: 'registry',
    title: 'Cloud Platform: Registry',
    description: 'The app catalog, tool manifests, runtime settings and installs.',
  },
});
