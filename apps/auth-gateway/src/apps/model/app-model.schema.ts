import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppPrice } from './app-price.entity.js';
import { AppVersion } from './app-version.entity.js';
import { App } from './app.entity.js';
import { RetiredAppId } from './retired-app-id.entity.js';

export const appModelSchema: GatewayFeatureSchema = { entities: [AppPrice, AppVersion, App, RetiredAppId] };
