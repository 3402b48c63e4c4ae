import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { FoldedAppTexts1764685001010 } from './migrations/1764685001010-folded-app-texts.js';

export const listingsSchema: GatewayFeatureSchema = { migrations: [FoldedAppTexts1764685001010] };
