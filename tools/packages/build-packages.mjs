// Makes the packages that a platform serves, in dist/packages: what `npm pack` would, but the same bytes for the same sources. Each is
// bundled with what it needs, so that an install asks a public registry for little, and nothing for the names of ours, which are
// somebody else's there. `index.json` says what there is.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { noteBundled } from '../bundled-from.mjs';
import { tarball } from './tarball.mjs';

/** Where a package comes from. `entries` are its modules by their names, among what TypeScript was compiled to; `types` of these have declarations. */
const PACKAGES = [
  {
    key: 'cli',
    folder: 'apps/cli',
    entries: { main: 'apps/cli/src/main.js' },
    // What extensions are built with.
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

/** In the types of ours, what they take from the contracts of the services. */
const CONTRACTS = 'libs/contracts/src/tool-manifest';

const SDK_TYPES = ['index', 'testing', 'build'].map((name) => `libs/extension-sdk/src/${name}`);
/** Those of the language alone. */
const LANGUAGE = /^lib\.(es(5|6|20\d\d(?!.*full)[\w.]*)|decorators[\w.]*)\.d\.ts$/;

/**
 * Instead of the types that TypeBox finds for schemas that are not its own. TypeScript compares those with each other for seconds, whether there are
 * such schemas or not.
 */
const PLAIN_SCHEMAS = 'export type XStatic<Schema> = Schema extends never ? never : any;\n';

/** For libraries in CommonJS, which ask for parts of Node.js and where they are. */
const AS_PROGRAM = {
  banner: {
    js: [
      "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
      "import { fileURLToPath as bundledPath } from 'node:url'; const __filename = bundledPath(import.meta.url);",
    ].join('\n'),
  },
};

/**
 * @param {string} root the folder of the workspace, where TypeScript was compiled into dist/ before
 * @param {(file: string) => string} declarationsOf what a source declares, without its code
 */
export async function buildPackages(root, declarationsOf) {
  const folder = join(root, 'dist', 'packages');
  mkdirSync(folder, { recursive: true });
  const support = supportFiles(root, declarationsOf);
  /** @type {Set<string>} */
  const inputs = new Set([join(root, 'node_modules/typescript/lib/lib.d.ts'), join(root, 'node_modules/typebox/package.json')]); // in `support`
  const index = await Promise.all(
    PACKAGES.map(async ({ key, folder: source, entries, parts = {}, types }) => {
      const manifest = JSON.parse(readFileSync(join(root, source, 'package.json'), 'utf8'));
      const modules = Array.isArray(entries) ? Object.fromEntries(entries.map((name) => [name, `${source}/src/${name}.js`])) : entries;
      const external = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies });
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
 * For the smoke tests: a command line as it is once installed, which starts in two thirds of the time of its unbundled modules.
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
 * What the command line checks types against, in `support/`: the declarations of the SDK, of the language and of the sandbox. In dist/ for
 * the command line of the workspace, too.
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
  for (const name of ofTypebox) files.set(`support/typebox/${name.replaceAll('\\', '/')}`, readFileSync(join(typebox, name), 'utf8'));
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
 * @param {string[]} external what is installed beside the package
 * @param {Set<string>} inputs to which the bundled files are added
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
    legalComments: 'inline', // the licences of what is bundled
    logLevel: 'error',
    ...more,
  });
  for (const file of Object.keys(metafile?.inputs ?? {})) inputs.add(file);
  return (outputFiles ?? []).map(
    ({ path, contents }) => /** @type {[string, Buffer]} */ ([`dist/${relative(outdir, path)}`, Buffer.from(contents)]),
  );
}

/**
 * What a module declares, and all that its declarations refer to, in the folders where the sources lie.
 *
 * @param {string} root
 * @param {string[]} sources without their ending
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

/** `libs/extension-sdk/src/memory/store` as `types/extension-sdk/memory/store.d.ts` */
const placeOf = (/** @type {string} */ source) => `types/${source.replace(/^libs\//, '').replace('/src/', '/')}.d.ts`;

/**
 * The source that an import of a declaration means; null for that of a library.
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
