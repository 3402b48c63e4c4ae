import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { actionSumsSchema } from './analytics/sums/action-sums.schema.js';
import { deploySagaSchema } from './deploys/saga/deploy-saga.schema.js';
import { deploysSchema } from './deploys/versions/deploys.schema.js';
import { developersSchema } from './developers/developers.schema.js';
import { earningsSchema } from './earnings/earnings.schema.js';
import { appModelSchema } from './model/app-model.schema.js';

/** Entities, migrations and sealed columns of all features in `apps/`. */
export const appsSchema: readonly GatewayFeatureSchema[] = [
  actionSumsSchema,
  deploySagaSchema,
  deploysSchema,
  developersSchema,
  earningsSchema,
  appModelSchema,
];
