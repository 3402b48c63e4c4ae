import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { ActionSumsMark } from './action-sums-mark.entity.js';
import { AppActionSum } from './app-action-sum.entity.js';
import { AppActionUser } from './app-action-user.entity.js';
import { UserActionSum } from './user-action-sum.entity.js';

export const actionSumsSchema: GatewayFeatureSchema = {
  entities: [ActionSumsMark, AppActionSum, AppActionUser, UserActionSum],
};
