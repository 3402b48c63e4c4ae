// Builds the packages that a platform serves, in dist/packages: like `npm pack`, but with the same
// bytes for the same sources. Each is bundled with its dependencies, so that an install needs
// little from a public registry and nothing under our package names, which belong to others there.
// `index.json` lists the packages.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { noteBundled } from '../bundled-from.mjs';
import { tarball } from './tarball.mjs';

/**
 * Sources of the packages. `entries` are the compiled modules by name; `types` are the entries with
 * type declarations.
 */
const PACKAGES = [
  {
    key: 'cli',
    folder: 'apps/cli',
    entries: { main: 'apps/cli/src/main.js' },
    // Modules that are bundled into extensions.
    parts: { index: 'libs/extension-sdk/src/index.js', handlers: 'libs/extension-sdk/src/handlers.js' },
    types: [],
  },
  {
    key: 'extension-sdk',
    folder: 'libs/extension-sdk',
    entries: ['index', 'testing', 'build', 'handlers'],
    types: ['index', 'testing', 'build'],
  },
  { key: 'client', folder: 'libs/client', entries: ['index'], types: ['index'] },
  { key: 'app-document', folder: 'libs/app-document', entries: ['index'], types: ['index'] },
];

/** Replaces the contracts of the services in the types of the packages. */
const CONTRACTS = 'libs/contracts/src/tool-manifest';

const SDK_TYPES = ['index', 'testing', 'build'].map((name) => `libs/extension-sdk/src/${name}`);
/** Declarations of the language itself, without the DOM. */
const LANGUAGE = /^lib\.(es(5|6|20\d\d(?!.*full)[\w.]*)|decorators[\w.]*)\.d\.ts$/;

/**
 * Replaces TypeBox's types for schemas of other libraries. TypeScript would compare those with each
 * other for seconds, even if there are no such schemas.
 */
const PLAIN_SCHEMAS = 'export type XStatic<Schema> = Schema extends never ? never : any;\n';

/**
 * For CommonJS libraries, which load modules of Node.js with require() and read the path of their
 * file.
 */
const AS_PROGRAM = {
  banner: {
    js: [
      "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
      "import { fileURLToPath as bundledPath } from 'node:url'; const __filename = bundledPath(import.meta.url);",
    ].join('\n'),
  },
};

/**
 * @param {string} root folder of the workspace, with dist/ already compiled by TypeScript
 * @param {(file: string) => string} declarationsOf returns the type declarations of a source file
 */
export async function buildPackages(root, declarationsOf) {
  const folder = join(root, 'dist', 'packages');
  mkdirSync(folder, { recursive: true });
  const support = supportFiles(root, declarationsOf);
  /** @type {Set<string>} */
  const inputs = new Set([
    join(root, 'node_modules/typescript/lib/lib.d.ts'),
    join(root, 'node_modules/typebox/package.json'),
  ]); // both are copied into `support`
  const index = await Promise.all(
    PACKAGES.map(async ({ key, folder: source, entries, parts = {}, types }) => {
      const manifest = JSON.parse(readFileSync(join(root, source, 'package.json'), 'utf8'));
      const modules = Array.isArray(entries)
        ? Object.fromEntries(entries.map((name) => [name, `${source}/src/${name}.js`]))
        : entries;
      const external = Object.keys({
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      });
      /** @type {Map<string, string | Buffer>} */
      const files = new Map();
      const add = (/** @type {Iterable<[string, string | Buffer]>} */ more) =>
        [...more].forEach(([path, content]) => files.set(path, content));
      files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
      files.set('README.md', readFileSync(join(root, source, 'README.md')));
      add(await bundled(root, modules, external, inputs, manifest.bin ? AS_PROGRAM : {}));
      add(await bundled(root, parts, external, inputs));
      if (key === 'cli') add(support);
      const typed = types.map((name) => `${source}/src/${name}`);
      add(declarations(root, typed, declarationsOf));
      const packed = tarball(files, new Set(Object.values(manifest.bin ?? {})));
      if (manifest.bin) unpack(join(folder, key), files);
      const file = `${key}-${manifest.version}.tgz`;
      writeFileSync(join(folder, file), packed);
      const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
      return { key, file, size: packed.length, integrity, manifest };
    }),
  );
  noteBundled(root, 'packages', inputs);
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

/**
 * Writes an unpacked command line for the smoke tests. It is as fast as an installed one: its start
 * takes two thirds of the time of the unbundled modules.
 *
 * @param {string} folder
 * @param {Map<string, string | Buffer>} files
 */
function unpack(folder, files) {
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/**
 * Files in `support/` against which the command line checks types: declarations of the SDK, the
 * language and the sandbox. Also written to dist/ for the command line of the workspace.
 *
 * @param {string} root
 * @param {(file: string) => string} declarationsOf
 */
function supportFiles(root, declarationsOf) {
  const language = join(root, 'node_modules', 'typescript', 'lib');
  const typebox = join(root, 'node_modules', 'typebox');
  const libraries = readdirSync(language).filter((name) => LANGUAGE.test(name));
  const ofTypebox = readdirSync(typebox, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.mts$|^(package\.json|license)$/.test(name),
  );
  /** @type {Map<string, string>} */
  const files = new Map();
  files.set('support/sandbox.d.ts', readFileSync(join(root, 'libs/extension-sdk/sandbox.d.ts'), 'utf8'));
  for (const [path, text] of declarations(root, SDK_TYPES, declarationsOf)) files.set(`support/${path}`, text);
  for (const name of libraries) files.set(`support/lib/${name}`, readFileSync(join(language, name), 'utf8'));
  for (const name of ofTypebox)
    files.set(`support/typebox/${name.replaceAll('\\', '/')}`, readFileSync(join(typebox, name), 'utf8'));
  files.set('support/typebox/build/schema/static/static.d.mts', PLAIN_SCHEMAS);
  for (const [path, text] of files) {
    const file = join(root, 'dist', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return files;
}

/**
 * @param {string} root
 * @param {Record<string, string>} entries
 * @param {string[]} external packages that are installed beside this one
 * @param {Set<string>} inputs the bundled files are added to it
 * @param {import('esbuild').BuildOptions} more
 * @returns {Promise<[string, Buffer][]>}
 */
async function bundled(root, entries, external, inputs, more = {}) {
  if (!Object.keys(entries).length) return [];
  const outdir = join(root, 'dist', 'packages', 'build');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, 'dist', file)])),
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 150,
    external,
    legalComments: 'inline', // keeps the licences of bundled code
    logLevel: 'error',
    ...more,
  });
  for (const file of Object.keys(metafile?.inputs ?? {})) inputs.add(file);
  return (outputFiles ?? []).map(
    ({ path, contents }) => /** @type {[string, Buffer]} */ ([`dist/${relative(outdir, path)}`, Buffer.from(contents)]),
  );
}

/**
 * Type declarations of modules and of everything that they refer to, in folders like those of the
 * sources.
 *
 * @param {string} root
 * @param {string[]} sources paths without extension
 * @param {(file: string) => string} declarationsOf
 */
function declarations(root, sources, declarationsOf) {
  /** @type {Map<string, string>} */
  const files = new Map();
  const waiting = [...sources];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const path = placeOf(source);
    if (files.has(path)) continue;
    const text = declarationsOf(join(root, `${source}.ts`));
    const replaced = text.replace(/((?:from|import\()\s*['"])([^'"]+)(['"])/g, (whole, before, specifier, after) => {
      const target = sourceOf(specifier, /** @type {string} */ (source));
      if (target === null || !existsSync(join(root, `${target}.ts`))) return whole;
      waiting.push(target);
      const wanted = posix.relative(posix.dirname(path), placeOf(target)).replace(/\.d\.ts$/, '.js');
      return `${before}${wanted.startsWith('.') ? wanted : `./${wanted}`}${after}`;
    });
    files.set(path, replaced.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  }
  return files;
}

/**
 * Path of the declarations: `libs/extension-sdk/src/memory/store` becomes
 * `types/extension-sdk/memory/store.d.ts`.
 */
const placeOf = (/** @type {string} */ source) => `types/${source.replace(/^libs\//, '').replace('/src/', '/')}.d.ts`;

/**
 * Source file that an import in a declaration refers to; null for a library.
 *
 * @param {string} specifier
 * @param {string} from
 */
function sourceOf(specifier, from) {
  if (specifier === '@platform/contracts') return CONTRACTS;
  const [, lib, name = 'index'] = /^@platform\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (lib) return `libs/${lib}/src/${name}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier.replace(/\.js$/, '')) : null;
}
