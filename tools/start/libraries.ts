/* eslint-disable @nx/enforce-module-boundaries --
   straight from the files, not through `@platform/*`: those bring NestJS and TypeORM along, which would more than double the time
   and the memory of a supervisor that uses neither */
export { withDevelopmentSecrets } from '../../libs/platform/src/development-secrets.js';
export { EmbeddedPostgres } from '../../libs/persistence/src/embedded-postgres.js';
