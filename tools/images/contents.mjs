// What is in each image: programs of the build with the files that they import, and what they read otherwise. docker/Dockerfile has a target of each name.

/**
 * @typedef {object} Contents
 * @property {readonly string[]} programs below dist/
 * @property {readonly string[]} [files] files and folders that the programs read, from the root of the workspace
 * @property {readonly string[]} [packages] of npm, which are not in the bundles: `NOT_BUNDLED` in tools/bundle-programs.mjs, and what is read as files
 */

/** Every service describes itself, and the gateway the Registry, too. */
const DOCUMENTS = ['docs/openapi/auth-gateway.json', 'docs/openapi/registry.json', 'docs/openapi/ext-webhook-host.json'];
/** Threads that check long inputs, colours, and what TypeORM looks for itself. */
const OF_PROGRAMS = ['piscina', 'culori', 'pg'];
/** And the page `/docs`. */
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
  panel: { programs: ['apps/panel/src/main.js'], files: ['dist/checks', 'dist/apps/panel/web', 'dist/packages'], packages: OF_PROGRAMS },
  operator: {
    programs: ['tools/migrate.js', 'tools/audit.js', 'tools/billing.js', 'tools/keys.js'],
    files: ['dist/checks'],
    packages: ['@node-rs/argon2', ...OF_PROGRAMS],
  },
  development: { programs: ['tools/mailbox/main.js', 'tools/payments/main.js'], files: ['tools/mailbox/page'] },
};
