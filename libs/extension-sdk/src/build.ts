import { parseAppDocument, type AppDocument, type DocumentIssue, type JsonObject } from '@platform/app-document';
import { build, type BuildFailure, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExtensionDefinition } from './definition.js';
import { documentOf, handlerAt, handlersOf, jsonOf, placeOf } from './document.js';

const THIS_FILE = fileURLToPath(import.meta.url);
/**
 * Path of a file of the SDK next to this one. It has the extension of this file, so that it works
 * both compiled and from source.
 */
const fileOf = (name: string): string => join(dirname(THIS_FILE), `${name}${extname(THIS_FILE)}`);
const READ_TIMEOUT_MS = 10_000;

/** An error in the source of an extension. Line and column start at 1. */
export interface SourceIssue {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
  message: string;
}

export class BuildError extends Error {
  override name = 'BuildError';

  constructor(readonly issues: SourceIssue[]) {
    super(
      issues
        .map(({ file, line, column, message }) => `${relative('.', file)}:${line}:${column}: ${message}`)
        .join('\n'),
    );
  }
}

export interface BuiltExtension {
  /** JSON that can be deployed and that `parseAppDocument` accepts. */
  value: JsonObject;
  /** Null if there are issues. */
  document: AppDocument | null;
  issues: DocumentIssue[];
  warnings: DocumentIssue[];
  /** Source files of the build, without files in node_modules. */
  inputs: string[];
  /** Place of an issue in the definition: `functions.add_note.params`. */
  placeOf: (issue: Pick<DocumentIssue, 'pointer'>) => string;
}

/**
 * Builds the app document of an extension: bundles the file and its imports into one module. The
 * file exports the definition as default. The same source always gives the same document. Runs the
 * file once in a child process, to read the definition. Issues of the document, such as a wrong
 * schema, are in the result.
 *
 * @throws BuildError with all errors in the source: it does not compile, fails or takes longer than
 * 10 s when it is run, exports no definition, or has a handler without `run`.
 */
export async function buildExtension(entryFile: string): Promise<BuiltExtension> {
  const entry = resolve(entryFile);
  const folder = projectOf(entry);
  const definition = await readDefinition(entry, folder);
  assertHandlers(definition, entry);
  const { source, source_map, inputs } = await bundle(entry, folder, definition);
  const value = jsonOf(documentOf(definition, { source, source_map })) as JsonObject;
  const result = parseAppDocument(value);
  return {
    value,
    document: result.ok ? result.document : null,
    issues: result.ok ? [] : result.issues,
    warnings: result.ok ? result.warnings : [],
    inputs,
    placeOf: (issue) => placeOf(issue, value),
  };
}

/**
 * Returns the nearest parent folder with a package.json, or the folder of the file if there is
 * none. Paths in the bundle begin there, so that they do not depend on the working directory.
 */
function projectOf(entry: string): string {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(entry);
  }
}

/**
 * Runs the source and returns its definition as JSON, with the text `[function]` in the place of
 * each function.
 *
 * @throws BuildError if the source does not compile, fails, or exports nothing within 10 s.
 */
async function readDefinition(entry: string, folder: string): Promise<ExtensionDefinition> {
  const contents = `
    import extension from ${JSON.stringify(entry)};
    process.send(JSON.stringify(extension ?? null, (key, value) => (typeof value === 'function' ? '[function]' : value)));
  `;
  const { outputFiles } = await bundled(folder, {
    stdin: { contents, resolveDir: folder },
    platform: 'node',
    format: 'cjs',
    sourcemap: 'inline',
    sourceRoot: `${folder}/`,
    plugins: [withSdk((plugin) => plugin.onResolve({ filter: SDK }, () => ({ path: fileOf('index') })))],
  });
  const temporary = await mkdtemp(join(tmpdir(), 'platform-build-'));
  try {
    const file = join(temporary, 'definition.cjs');
    await writeFile(file, outputFiles[0]?.contents ?? '');
    return JSON.parse(await sentBy(file, entry, folder)) as ExtensionDefinition;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Runs a file in a child process and returns the text that it sends to its parent.
 *
 * @throws BuildError if it ends or is stopped after 10 s without having sent a text.
 */
function sentBy(file: string, entry: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [], {
      cwd: folder,
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: READ_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let [errors, sent] = ['', ''];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.on('message', (message) => {
      sent = message as string;
      child.kill();
    });
    child.on('error', reject);
    child.on('close', () => {
      if (sent) resolve(sent);
      else reject(new BuildError([failureOf(errors, entry, folder)]));
    });
  });
}

/**
 * Returns the error message of a failed child process, at the topmost stack frame inside the
 * project, or at the start of `entry` if no frame is.
 */
function failureOf(errors: string, entry: string, folder: string): SourceIssue {
  const [message = `The file did not export its definition within ${READ_TIMEOUT_MS / 1000} s of its start`] =
    /^\w*Error\b.*$/m.exec(errors) ?? [];
  const places = [...errors.matchAll(/(?:at |\()((?:\/|[A-Za-z]:)[^():]+):(\d+):(\d+)/g)];
  const [, file = entry, line = '1', column = '1'] = places.find(([, path = '']) => isOwn(path, folder)) ?? [];
  return { file, line: Number(line), column: Number(column), message: `${message}.` };
}

const isOwn = (file: string, folder: string): boolean => !/^\.\.|node_modules/.test(relative(folder, file));

/**
 * Checks that the default export is a definition and that each of its handlers has a function
 * `run`, which the schema of the document cannot express.
 *
 * @throws BuildError if not.
 */
function assertHandlers(definition: unknown, file: string): asserts definition is ExtensionDefinition {
  const refuse = (message: string) => new BuildError([{ file, line: 1, column: 1, message }]);
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw refuse('The default export must be the return value of defineExtension().');
  }
  for (const { path } of handlersOf(definition as ExtensionDefinition)) {
    const [list, name] = path;
    const part = handlerAt(definition as ExtensionDefinition, path) as { run?: unknown } | null | undefined;
    if (part?.run !== '[function]') throw refuse(`${list}.${name} has no function "run".`);
  }
}

interface Bundle {
  source: string;
  source_map: string;
  inputs: string[];
}

async function bundle(entry: string, folder: string, definition: ExtensionDefinition): Promise<Bundle> {
  const handlers = handlersOf(definition).map(({ entry: name, path: [list, ...keys] }) => {
    return `export const ${name} = handler(extension.${list}${keys.map((key) => `[${JSON.stringify(key)}]`).join('')});`;
  });
  const contents = [
    `import extension from ${JSON.stringify(`./${relative(folder, entry).replaceAll('\\', '/')}`)};`,
    'const handler = (definition) => (event, ctx) => definition.run(event, ctx);',
    ...handlers,
  ].join('\n');
  const source = await handlersSource();
  const { outputFiles, metafile } = await bundled(folder, {
    stdin: { contents, resolveDir: folder, sourcefile: 'handlers.js' },
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import', 'module'],
    format: 'esm',
    target: 'es2023',
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    plugins: [
      withSdk((plugin) => {
        // A name instead of a path: the module must not depend on the place where the SDK is
        // installed.
        plugin.onResolve({ filter: SDK }, () => ({ path: 'handlers', namespace: 'extension-sdk' }));
        plugin.onLoad({ filter: /.*/, namespace: 'extension-sdk' }, () => ({ contents: source, loader: 'js' }));
      }),
    ],
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const inputs = Object.keys(metafile?.inputs ?? {}).map((input) => resolve(folder, input));
  return {
    source: textOf('.js'),
    source_map: textOf('.map'),
    inputs: inputs.filter((input) => isOwn(input, folder) && existsSync(input)),
  };
}

const SDK = /^@platform\/extension-sdk$/;
const withSdk = (setup: Plugin['setup']): Plugin => ({ name: 'extension-sdk', setup });

let knownHandlersSource: Promise<string> | undefined;
const handlersSource = (): Promise<string> =>
  (knownHandlersSource ??= build({
    entryPoints: [fileOf('handlers')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? ''));

type Bundled = BuildResult<BuildOptions & { write: false }>;

async function bundled(folder: string, options: BuildOptions): Promise<Bundled> {
  try {
    return await build({
      absWorkingDir: folder,
      outfile: join(folder, 'main.js'),
      bundle: true,
      logLevel: 'silent',
      charset: 'utf8',
      ...options,
      write: false,
    });
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    const issues = errors.map(({ text, location }): SourceIssue => {
      const { file = 'main.js', line = 1, column = 0 } = location ?? {};
      return { file: resolve(folder, file), line, column: column + 1, message: `${text}.` };
    });
    throw new BuildError(issues);
  }
}
