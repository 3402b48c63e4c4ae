import type { Database } from '@platform/persistence';
import { App } from './apps/registered-app.entity.js';
import { Install } from './installs/registered-install.entity.js';
import { Baseline1764700000000 } from './migrations/1764700000000-baseline.js';
import { Manifest } from './tools/manifest.entity.js';

/** Schema of this service, with its entities and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'registry',
  poolSize,
  entities: [App, Manifest, Install],
  migrations: [Baseline1764700000000],
});
