// Contents of each image: programs of the build with the files that they import, and other files
// that they read. docker/Dockerfile has a target with each name.

/**
 * @typedef {object} Contents
 * @property {readonly string[]} programs paths below dist/
 * @property {readonly string[]} [files] files and folders that the programs read, relative to the
 *   root of the workspace
 * @property {readonly string[]} [packages] npm packages outside of the bundles: `NOT_BUNDLED` in
 *   tools/bundle-programs.mjs, and packages that are read as files
 */

/** Each service serves its own document, and the gateway also the registry's. */
const DOCUMENTS = [
  'docs/openapi/auth-gateway.json',
  'docs/openapi/registry.json',
  'docs/openapi/ext-webhook-host.json',
];
/** Threads that check long inputs, and colours. */
const OF_PROGRAMS = ['piscina', 'culori'];
/** The same with the page `/docs`. */
const OF_SERVICES = [...OF_PROGRAMS, 'swagger-ui-dist'];

/** @type {Record<string, Contents>} */
export const CONTENTS = {
  'auth-gateway': {
    programs: ['apps/auth-gateway/src/main.js', 'apps/auth-gateway/src/worker.js'],
    files: ['dist/checks', ...DOCUMENTS],
    packages: ['@node-rs/argon2', ...OF_SERVICES],
  },
  registry: { programs: ['apps/registry/src/main.js'], files: ['dist/checks', ...DOCUMENTS], packages: OF_SERVICES },
  'ext-webhook-host': {
    programs: ['apps/ext-webhook-host/src/main.js', 'apps/ext-webhook-host/src/worker.js'],
    files: ['dist/checks', 'dist/sandbox', ...DOCUMENTS],
    packages: OF_SERVICES,
  },
  panel: {
    programs: ['apps/panel/src/main.js'],
    files: ['dist/checks', 'dist/apps/panel/web', 'dist/packages'],
    packages: OF_PROGRAMS,
  },
  operator: {
    programs: ['tools/migrate.js', 'tools/audit.js', 'tools/billing.js', 'tools/keys.js'],
    files: ['dist/checks'],
    packages: ['@node-rs/argon2', ...OF_PROGRAMS],
  },
  development: { programs: ['tools/mailbox/main.js', 'tools/payments/main.js'], files: ['tools/mailbox/page'] },
};
