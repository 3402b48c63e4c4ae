import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.mjs';

/**
 * Installs the dependencies when they are missing, incomplete or not those of package-lock.json.
 *
 * @param {import('./prepare.mjs').Preparation} preparation
 */
export async function ensureDependencies({ root, terminal, stop, runFile }) {
  const unfinished = join(root, 'node_modules', '.unfinished');
  if (!existsSync(unfinished) && areInstalled(root)) return;
  const [command, ...parameters] = npm();
  // Not `npm ci`: it deletes node_modules first, so that one changed package would cost the installation of all.
  // Build tools are development dependencies, which NODE_ENV=production would leave out.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--include=dev', '--include=optional'];
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
 * Compares with what npm noted down at the end of its last installation, whoever ran that.
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
 * False when the files are gone, or belong to the machine that this folder was copied from.
 *
 * @param {string} root
 * @param {string} path
 * @param {LockedPackage} found
 */
function isUsable(root, path, { os, cpu }) {
  return isListed(os, process.platform) && isListed(cpu, process.arch) && existsSync(join(root, path));
}

/**
 * @param {string[] | undefined} list as in package.json: absent for all, `!` excludes
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
 * The npm that started us, or the one on the path.
 *
 * @returns {[string, ...string[]]}
 */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
