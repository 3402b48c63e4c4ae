import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { CliCode } from './cli-code.entity.js';
import { DeviceCode } from './device-code.entity.js';
import { DevicePoll } from './device-poll.entity.js';

export const cliLoginSchema: GatewayFeatureSchema = { entities: [CliCode, DeviceCode, DevicePoll] };
