import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';

const BODY_BYTES = 64 * 1024;

/** What `main.ts` and the tests start. `webFolder` has the built front end. */
export const panel = (config: Config, webFolder: string): ServiceDefinition => ({
  name: 'panel',
  config,
  module: AppModule.register(config, webFolder),
  bodyLimits: [{ prefix: '/', bytes: BODY_BYTES }],
  unreadBodies: ['/v1/ext/'],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
});
