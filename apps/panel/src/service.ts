import { connectDatabase, waitForMigrations } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { PanelAppModule, type BuiltFolders } from './app.module.js';
import type { Config } from './config.js';

const BODY_BYTES = 64 * 1024;

/** The service that `main.ts` and the tests start. */
export const panel = (config: Config, folders: BuiltFolders): ServiceDefinition => ({
  name: 'panel',
  config,
  module: PanelAppModule.register(config, folders),
  bodyLimits: [{ prefix: '/', bytes: BODY_BYTES }],
  unreadBodies: ['/v1/ext/'],
  connect: connectDatabase,
  waitsFor: waitForMigrations,
});
