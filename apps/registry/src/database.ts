import type { Database } from '@platform/persistence';
import { RegisteredApp } from './apps/registered-app.entity.js';
import { RegisteredInstall } from './installs/registered-install.entity.js';
import { RegistryBaseline1764700000000 } from './migrations/1764700000000-baseline.js';
import { Manifest } from './tools/manifest.entity.js';

/** Schema of this service, with its entities and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'registry',
  poolSize,
  entities: [RegisteredApp, Manifest, RegisteredInstall],
  migrations: [RegistryBaseline1764700000000],
});
