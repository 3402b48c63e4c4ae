export { BLOCKED_PORTS } from '../../libs/platform/src/blocked-ports.js';
export { withDevelopmentSecrets } from '../../libs/platform/src/development-secrets.js';
export { EmbeddedPostgres } from '../../libs/persistence/src/embedded-postgres.js';
