import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommand } from './command.mjs';

const SINGLE_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'docs/openapi/auth-gateway.json',
];
/** Made by the build from an OpenAPI document, which is one of the files above. */
const CLIENT_TYPES = 'libs/client/src/generated';

/** Path of the file in which tools/build.mjs stores the hash of the sources that it built. */
export const stampOf = (/** @type {string} */ root) => join(root, 'dist', '.sources');

/**
 * True if dist/ was built from the current sources.
 *
 * @param {string} root
 */
export function isBuilt(root) {
  const stamp = stampOf(root);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(root);
}

/**
 * Builds dist/ if it is missing or was built from other sources.
 *
 * @param {import('./prepare.mjs').Preparation} preparation
 * @returns {Promise<boolean>} true if it built
 */
export async function ensureBuild({ root, terminal, stop, runFile }) {
  if (isBuilt(root)) return false;
  const failure = 'The build failed. Correct what the compiler says above and start again.';
  await terminal.step('Building', 'Built', () =>
    runCommand(process.execPath, [join(root, 'tools', 'build.mjs')], {
      root,
      trace: join(root, 'tools', 'build.mjs'),
      failure,
      stop,
      runFile,
    }),
  );
  return true;
}

/**
 * Hash of all files that the build reads. It uses contents, not times, so that a checkout without
 * changes needs no build.
 *
 * @param {string} root
 */
export function hashSources(root) {
  const hash = createHash('sha256');
  const projects = ['apps', 'libs'].flatMap((kind) =>
    entries(join(root, kind)).map(({ name }) => join(root, kind, name)),
  );
  const code = [...projects.map((project) => join(project, 'src')), join(root, 'tools')].flatMap(filesIn);
  const packages = projects.flatMap((project) =>
    ['package.json', 'README.md', 'sandbox.d.ts'].map((name) => join(project, name)),
  );
  const frontEnds = projects.map((project) => join(project, 'web')).flatMap(filesIn);
  const files = [
    ...SINGLE_FILES.map((name) => join(root, name)),
    ...code.filter((file) => /(?<!\.spec)\.(ts|mjs|json)$/.test(file) && !file.startsWith(join(root, CLIENT_TYPES))),
    ...packages,
    ...frontEnds.filter((file) => !/\.spec\.ts$/.test(file)),
  ];
  for (const file of files.sort()) {
    if (existsSync(file))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** @param {string} folder */
function entries(folder) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}
