import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { ScopeDenial } from './scope-denial.entity.js';

export const permissionsSchema: GatewaySchema = { entities: [ScopeDenial] };
