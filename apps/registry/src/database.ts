import type { Database } from '@platform/persistence';
import { App } from './apps/app.entity.js';
import { Install } from './installs/install.entity.js';
import { Registry1764000000000 } from './migrations/1764000000000-registry.js';
import { SettingsOfTenants1764403000200 } from './migrations/1764403000200-settings-of-tenants.js';
import { KeysThatInstall1764422000000 } from './migrations/1764422000000-keys-that-install.js';
import { ManifestsOfOwners1764503000200 } from './migrations/1764503000200-manifests-of-owners.js';
import { Manifest } from './tools/manifest.entity.js';

/** Schema of this service, with its entities and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'registry',
  poolSize,
  entities: [App, Manifest, Install],
  migrations: [Registry1764000000000, SettingsOfTenants1764403000200, KeysThatInstall1764422000000, ManifestsOfOwners1764503000200],
});
