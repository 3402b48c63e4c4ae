// Bundles each program of the platform with all its imports into one file, plus files that programs
// of one list share. For a service or worker this is `main.bundle.js`, which the three lines of
// `main.js` load. A service has several thousand modules, and finding and loading them one by one
// took two thirds of its start. Names are kept. A source map beside each file leads from its lines
// to those of the sources, for stack traces. Dynamic imports stay dynamic.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { notePackagesOfFiles } from './bundled-from.mjs';
import { withNamespacesOnce } from './esbuild-namespaces.mjs';
import { withNamesOnce } from './esbuild-naming.mjs';
import { thinMap } from './thin-map.mjs';

const PROGRAMS = [
  ...['auth-gateway', 'registry', 'ext-webhook-host', 'panel'].map((app) => `apps/${app}/src/main.js`),
  'tools/mailbox/main.js',
  'tools/payments/main.js',
  'tools/migrate.js',
];

/**
 * Workers share no file with the services: a module that finds files by `import.meta.url`
 * (`sandbox-command.ts`) has to stay in the program's own file, and modules that a worker and its
 * service both import would move to `dist/bundled`.
 */
const WORKERS = ['auth-gateway', 'ext-webhook-host'].map((app) => `apps/${app}/src/worker.js`);

/**
 * Commands that operators type. They are bundled so that they start fast, also to print an error.
 * They share no file with the services.
 */
const OPERATOR_TOOLS = ['audit', 'billing', 'keys'].map((tool) => `tools/${tool}.js`);

/**
 * Bench programs have to be as fast as in production. Test programs are started many times. They
 * share no file with the lists above.
 */
const BENCH_AND_TEST_PROGRAMS = [
  ...['bare/ledger', 'bare/memory-catalog', 'extensions/code-runs'].map((program) => `tools/bench/${program}.js`),
  'tools/jest/test-cluster.js',
  'tools/smoke/ledger-operations.js',
];

// A native library, and packages that Nest would use if they were installed.
const NOT_BUNDLED =
  /^(@node-rs\/argon2|piscina|@nestjs\/(microservices|websockets)|@fastify|class-transformer\/storage|file-type)/;

// TypeORM imports the drivers of all databases, which would take some megabytes in each process.
const DRIVER = /\/typeorm\/driver\/([a-z0-9-]+)\//;
const DRIVERS_IN_USE = ['postgres', 'types'];

// `@nestjs/jwt` imports these files, and we use only its errors (KeySetJwtService).
const JSON_WEB_TOKEN = /\/jsonwebtoken\/(sign|verify|decode)\.js$/;

// Libraries import these packages but use them only for features that we do not use: telephone
// numbers of all countries (class-validator), file uploads (Nest), request bodies in all encodings
// (Express; `http/bodies/body-reader.ts` reads bodies here), and OpenAPI documents in YAML (Nest).
const UNUSED = /\/node_modules\/(libphonenumber-js|multer|body-parser|js-yaml)\//;

// undici's own fetch, cookies, WebSocket and mocks, which we do not use. Its cookies read
// `globalThis.Headers`, for which Node.js loads its built-in undici: with these files, 6 MB in each
// process. Without them, a request body of FormData fails in the bundles.
const UNUSED_OF_UNDICI = /\/undici\/lib\/(mock|web)\//;

// An `import` of this module reads all of its exports. In Node.js 24 one of them loads the built-in
// undici: 5 MB and 20 ms in each process. `require` reads only what is used.
const HTTP = /^(node:)?http$/;

// Services and their workers start with three lines that keep the young generation of the heap
// small: see `libs/platform/src/speed/young-generation.ts`. These have to run before the rest is
// loaded, so the rest is in a second file.
const SERVICE_ENTRY = /[\\/]apps[\\/][\w-]+[\\/]src[\\/](main|worker)\.js(\.map)?$/;
const bundlePathOf = (/** @type {string} */ path) => path.replace(/\.js(\.map)?$/, '.bundle.js$1');
const launcherOf = (/** @type {string} */ bundle) =>
  `import { setFlagsFromString } from 'node:v8';\nsetFlagsFromString('--semi-space-growth-factor=1');\nawait import('./${bundle}');\n`;

/** @param {string} root the folder of the workspace, with dist/ already compiled by TypeScript */
export async function bundlePrograms(root) {
  const dist = join(root, 'dist');
  const lists = [PROGRAMS, WORKERS, OPERATOR_TOOLS, BENCH_AND_TEST_PROGRAMS];
  const bundles = await Promise.all(lists.map((programs) => bundle(dist, programs)));
  // Written after all are read: some programs import others.
  for (const { outputFiles } of bundles) write(dist, outputFiles);
  /** @type {Record<string, string[]>} */
  const inputs = {};
  for (const { metafile } of bundles) {
    for (const [file, output] of Object.entries(metafile.outputs)) {
      const path = join(root, file);
      inputs[relative(root, SERVICE_ENTRY.test(path) ? bundlePathOf(path) : path)] = held(output.inputs);
    }
  }
  notePackagesOfFiles(root, inputs);
}

/**
 * Files that contribute code to the bundle.
 *
 * @param {Record<string, { bytesInOutput: number }>} inputs
 */
const held = (inputs) =>
  Object.entries(inputs)
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && !UNUSED.test(`/${file}`))
    .map(([file]) => file);

/**
 * @param {string} dist
 * @param {readonly string[]} programs
 */
async function bundle(dist, programs) {
  return build({
    absWorkingDir: dirname(dist),
    metafile: true,
    entryPoints: programs.map((program) => join(dist, program)),
    outdir: dist,
    outbase: dist,
    write: false,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'bundled/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    lineLimit: 150,
    sourcemap: 'external', // read when an error is logged
    sourcesContent: false,
    keepNames: true, // OpenAPI schemas, providers and errors use the names of their classes
    plugins: [imports],
    logLevel: 'error',
    // For CommonJS libraries, which load modules of Node.js with require().
    banner: {
      js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
    },
  });
}

/**
 * @param {string} dist
 * @param {readonly import('esbuild').OutputFile[]} outputFiles
 */
function write(dist, outputFiles) {
  const maps = outputFiles.filter(({ path }) => path.endsWith('.map'));
  const files = outputFiles.filter(({ path }) => !path.endsWith('.map'));
  const texts = withNamespacesOnce(withNamesOnce(files.map(({ text }) => text)));
  for (const [at, { path }] of files.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    const isEntry = SERVICE_ENTRY.test(path);
    if (isEntry) {
      writeFileSync(path, launcherOf(basename(bundlePathOf(path))));
      rmSync(`${path}.map`, { force: true }); // the map that TypeScript wrote for the unbundled file
    }
    // Escapes non-ASCII characters. esbuild leaves them in regular expressions, and a file with one
    // character beyond Latin-1 takes twice the memory.
    writeFileSync(isEntry ? bundlePathOf(path) : path, (texts[at] ?? '').replace(/[^\0-\x7f]/g, escaped));
  }
  for (const { path, text } of maps) {
    writeFileSync(
      SERVICE_ENTRY.test(path) ? bundlePathOf(path) : path,
      thinMap(text, (source) => relative(dirname(dist), resolve(dirname(path), source)).replaceAll(sep, '/')),
    );
  }
}

const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Decides how each import is bundled. For a CommonJS library, esbuild gives `import()` only the
 * default export; this plugin adds the names that Node.js gives it.
 *
 * @type {import('esbuild').Plugin}
 */
const imports = {
  name: 'imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NOT_BUNDLED }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: HTTP }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path, namespace: 'on-demand', pluginData: resolveDir } : undefined,
    );
    onLoad({ filter: DRIVER }, ({ path }) =>
      DRIVERS_IN_USE.includes(DRIVER.exec(path)?.[1] ?? '') ? undefined : { contents: 'module.exports = {};' },
    );
    onLoad({ filter: JSON_WEB_TOKEN }, () => ({
      contents: "module.exports = () => { throw new Error('Only the errors of jsonwebtoken are in the bundles.'); };",
    }));
    onLoad({ filter: UNUSED_OF_UNDICI }, () => ({
      // The index of undici creates a CacheStorage. Every other name refuses to be called or
      // created.
      contents: `
        function refusal() { throw new Error('Left out of the bundles: see UNUSED_OF_UNDICI in tools/bundle-programs.mjs.'); }
        module.exports = new Proxy({}, { get: (_left, name) => (name === 'CacheStorage' ? class {} : refusal) });`,
    }));
    onLoad({ filter: UNUSED }, ({ path }) => {
      const message = `${UNUSED.exec(path)?.[1]} is left out of the bundles: see UNUSED in tools/bundle-programs.mjs.`;
      const refusal = `() => { throw new Error(${JSON.stringify(message)}); }`;
      // `dump` is the only name that @nestjs/swagger imports from js-yaml, which is an ES module.
      return { contents: path.endsWith('.mjs') ? `export const dump = ${refusal};` : `module.exports = ${refusal};` };
    });
    onLoad({ filter: /./, namespace: 'on-demand' }, async ({ path, pluginData }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
      const contents = `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
      return { contents, resolveDir: pluginData };
    });
  },
};
