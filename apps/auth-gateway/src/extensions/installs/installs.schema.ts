import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { DocumentPurge } from './document-purge.entity.js';
import { InstallNarrowing } from './install-narrowing.entity.js';
import { Install } from './install.entity.js';

export const installsSchema: GatewayFeatureSchema = { entities: [DocumentPurge, Install, InstallNarrowing] };
