export { withDevelopmentSecrets } from '../../libs/platform/src/development-secrets.js';
export { EmbeddedPostgres } from '../../libs/persistence/src/embedded-postgres.js';
