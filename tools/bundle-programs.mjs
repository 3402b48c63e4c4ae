// Puts the programs of a platform, with all that they import, into one file each (of a service and a worker `main.bundle.js`, which the three lines of
// `main.js` load) and some that programs of one list share: a service is several
// thousand modules, and to find and load them one by one was two thirds of its start. Names stay, and a map beside each file leads from its lines to
// those of the sources, for stack traces. What is imported on demand is loaded on demand.
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
 * They share no file with the services: a module that finds files by `import.meta.url` (`sandbox-command.ts`) has to stay in the program's own file, and
 * what a worker and its service both import would be moved to `dist/bundled`.
 */
const WORKERS = ['auth-gateway', 'ext-webhook-host'].map((app) => `apps/${app}/src/worker.js`);

/** What operators type, which should not take seconds to say what it does not know. They share no file with the services. */
const OPERATOR_TOOLS = ['audit', 'billing', 'keys'].map((tool) => `tools/${tool}.js`);

/**
 * Of the bench: what it measures, or compares with, has to be as fast as what runs in production. Of the tests: what they start again and again.
 * They share no file with those above.
 */
const BENCH_AND_TEST_PROGRAMS = [
  ...['bare/ledger', 'bare/memory-catalog', 'extensions/code-runs'].map((program) => `tools/bench/${program}.js`),
  'tools/jest/test-cluster.js',
  'tools/smoke/ledger-operations.js',
];

// A library that is not in JavaScript, and what Nest would use if it were installed.
const NOT_BUNDLED = /^(@node-rs\/argon2|piscina|@nestjs\/(microservices|websockets)|@fastify|class-transformer\/storage|file-type)/;

// TypeORM imports the drivers of all databases, which would cost some megabytes in each process.
const DRIVER = /\/typeorm\/driver\/([a-z0-9-]+)\//;
const DRIVERS_IN_USE = ['postgres', 'types'];

// `@nestjs/jwt` imports it, and we use its errors alone (KeySetJwtService).
const JSON_WEB_TOKEN = /\/jsonwebtoken\/(sign|verify|decode)\.js$/;

// What libraries import and only do for those who ask for it: telephone numbers of all countries (class-validator), uploads of files (Nest), reading of
// bodies in all encodings (Express; `http/body.ts` does that), and an OpenAPI document in YAML (Nest).
const UNUSED = /\/node_modules\/(libphonenumber-js|multer|body-parser|js-yaml)\//;

// Services and their workers start with three lines that keep the young generation small: `libs/platform/src/speed/young-generation.ts` says why. They have to run
// before the rest is loaded, so the rest is a file beside them.
const SERVICE_ENTRY = /[\\/]apps[\\/][\w-]+[\\/]src[\\/](main|worker)\.js(\.map)?$/;
const bundlePathOf = (/** @type {string} */ path) => path.replace(/\.js(\.map)?$/, '.bundle.js$1');
const launcherOf = (/** @type {string} */ bundle) =>
  `import { setFlagsFromString } from 'node:v8';\nsetFlagsFromString('--semi-space-growth-factor=1');\nawait import('./${bundle}');\n`;

/** @param {string} root the folder of the workspace, where TypeScript was compiled into dist/ before */
export async function bundlePrograms(root) {
  const dist = join(root, 'dist');
  const lists = [PROGRAMS, WORKERS, OPERATOR_TOOLS, BENCH_AND_TEST_PROGRAMS];
  const bundles = await Promise.all(lists.map((programs) => bundle(dist, programs)));
  // Once all are read: some of the programs are imported by others.
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

/** The files of which something is left. @param {Record<string, { bytesInOutput: number }>} inputs */
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
    keepNames: true, // OpenAPI schemas, providers and errors are called as their classes
    plugins: [imports],
    logLevel: 'error',
    // For libraries in CommonJS, which ask for parts of Node.js.
    banner: { js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);" },
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
      rmSync(`${path}.map`, { force: true }); // of what TypeScript had compiled there
    }
    // esbuild leaves regular expressions as they are; a file with one character beyond Latin-1 takes twice the memory.
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
 * What is imported, and how. Of a library in CommonJS, esbuild gives `import()` the default export only. Here it gets the names that it has
 * with Node.js.
 *
 * @type {import('esbuild').Plugin}
 */
const imports = {
  name: 'imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NOT_BUNDLED }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path, namespace: 'on-demand', pluginData: resolveDir } : undefined,
    );
    onLoad({ filter: DRIVER }, ({ path }) =>
      DRIVERS_IN_USE.includes(DRIVER.exec(path)?.[1] ?? '') ? undefined : { contents: 'module.exports = {};' },
    );
    onLoad({ filter: JSON_WEB_TOKEN }, () => ({
      contents: "module.exports = () => { throw new Error('jsonwebtoken is not in the bundles, but for its errors.'); };",
    }));
    onLoad({ filter: UNUSED }, ({ path }) => {
      const message = `${UNUSED.exec(path)?.[1]} is left out of the bundles: see UNUSED in tools/bundle-programs.mjs.`;
      const refusal = `() => { throw new Error(${JSON.stringify(message)}); }`;
      // `dump` is the one name that @nestjs/swagger asks js-yaml for, which is an ES module.
      return { contents: path.endsWith('.mjs') ? `export const dump = ${refusal};` : `module.exports = ${refusal};` };
    });
    onLoad({ filter: /./, namespace: 'on-demand' }, async ({ path, pluginData }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
      const contents = `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
      return { contents, resolveDir: pluginData };
    });
  },
};
