import { billingSchema } from '@platform/billing';
import { schemaOf, type Database } from '@platform/persistence';
import { appsSchema } from './apps/apps.schema.js';
import { automationsSchema } from './automations/automations.schema.js';
import { extensionsSchema } from './extensions/extensions.schema.js';
import { identitySchema } from './identity/identity.schema.js';
import { marketplaceSchema } from './marketplace/marketplace.schema.js';
import { organisationSchema } from './organisation/organisation.schema.js';
import type { GatewayFeatureSchema } from './kernel/gateway-feature-schema.js';
import { kernelSchema } from './kernel/kernel.schema.js';
import { GatewayBaseline1764700000000 } from './migrations/1764700000000-baseline.js';

/** Entities, migrations and sealed columns of all features. */
export const FEATURE_SCHEMAS: readonly GatewayFeatureSchema[] = [
  ...kernelSchema,
  ...identitySchema,
  ...organisationSchema,
  ...billingSchema,
  ...appsSchema,
  ...extensionsSchema,
  ...marketplaceSchema,
  ...automationsSchema,
];

/**
 * Describes the database of the gateway: its address, its schema, all entities and all migrations.
 * Does not connect to it.
 *
 * @param poolSize maximum number of connections.
 */
export const database = (url: string, poolSize: number): Database => {
  const { entities, migrations } = schemaOf(FEATURE_SCHEMAS);
  return {
    url,
    schema: 'gateway',
    poolSize,
    entities: [...entities],
    migrations: [GatewayBaseline1764700000000, ...migrations],
  };
};
