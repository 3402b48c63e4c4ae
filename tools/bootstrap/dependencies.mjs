import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.mjs';

/**
 * Installs the dependencies if they are missing, incomplete or differ from package-lock.json.
 *
 * @param {import('./prepare.mjs').Preparation} preparation
 */
export async function ensureDependencies({ root, terminal, stop, runFile }) {
  const unfinished = join(root, 'node_modules', '.unfinished');
  if (!existsSync(unfinished) && areInstalled(root)) return;
  const [command, ...parameters] = npm();
  // `npm ci` deletes node_modules first, so one changed package would cost a full installation.
  // Build tools are development dependencies, which NODE_ENV=production would leave out.
  const options = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--include=dev',
    '--include=optional',
  ];
  const failure =
    'The dependencies could not be installed. Correct what npm says above (no internet, a proxy, a full disk) and start again.';
  await terminal.step('Installing dependencies', 'Dependencies installed', async () => {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(unfinished, '');
    await runCommand(command, [...parameters, ...options], { root, trace: 'npm', failure, stop, runFile });
    rmSync(unfinished, { force: true });
  });
}

/**
 * Compares package-lock.json with the list that npm wrote after its last installation, no matter
 * which program started that.
 *
 * @param {string} root
 */
function areInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    const found = installed[path];
    return !path || (found ? found.version === version && isUsable(root, path, found) : optional || devOptional);
  });
}

/**
 * False if the files are missing, or were installed on another kind of machine before this folder
 * was copied.
 *
 * @param {string} root
 * @param {string} path
 * @param {LockedPackage} found
 */
function isUsable(root, path, { os, cpu }) {
  return isListed(os, process.platform) && isListed(cpu, process.arch) && existsSync(join(root, path));
}

/**
 * @param {string[] | undefined} list field of package.json: undefined means all, `!` excludes
 * @param {string} name
 */
function isListed(list, name) {
  if (!list) return true;
  return list.some((entry) => entry.startsWith('!')) ? !list.includes(`!${name}`) : list.includes(name);
}

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * The npm that started this process, or the npm on the PATH.
 *
 * @returns {[string, ...string[]]}
 */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
