import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { SignInRecord } from './sign-in-record.entity.js';
import { SignInTally } from './sign-in-tally.entity.js';

export const signInsSchema: GatewayFeatureSchema = { entities: [SignInRecord, SignInTally] };
