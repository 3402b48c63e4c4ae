import { connectDatabase } from '@platform/persistence';
import type { ServiceDefinition } from '@platform/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';

const AUTH_BODY_BYTES = 64 * 1024;
/** The manifest of a version has up to 1 MiB, and may come as text, in which each quotation mark takes two. */
const DEVELOPER_BODY_BYTES = 2.5 * 1024 * 1024;

/** What `main.ts`, `worker.ts`, the tests and the OpenAPI export start. */
export const authGateway = (config: Config, otherDocuments: Record<string, string> = {}): ServiceDefinition => ({
  name: 'auth-gateway',
  config,
  module: AppModule.register(config),
  bodyLimits: [
    { prefix: '/v1/auth/', bytes: AUTH_BODY_BYTES },
    { prefix: '/v1/developer/apps/', bytes: DEVELOPER_BODY_BYTES },
  ],
  connect: connectDatabase,
  openApi: {
    service: 'auth-gateway',
    title: 'Cloud Platform: Auth Gateway',
    description: 'Identity, sessions and everything else that clients of the platform call.',
    others: otherDocuments,
  },
});
