import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppVersion } from './app-version.entity.js';
import { App } from './app.entity.js';
import { RetiredAppId } from './retired-app-id.entity.js';

export const appModelSchema: GatewayFeatureSchema = { entities: [AppVersion, App, RetiredAppId] };
