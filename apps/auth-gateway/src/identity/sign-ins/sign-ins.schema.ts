import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { SignInRecord } from './sign-in-record.entity.js';
import { SignInTally } from './sign-in-tally.entity.js';

export const signInsSchema: GatewaySchema = { entities: [SignInRecord, SignInTally] };
