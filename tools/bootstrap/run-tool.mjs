import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './folder.mjs';
import { prepare } from './prepare.mjs';
import { addressesFor, folderFor } from './running-platform.mjs';
import { StartError } from './start-error.mjs';
import { Terminal } from './terminal.mjs';

/**
 * Runs a tool in this process as if it were the main script, in the folder of the clone. The
 * command line of the platform runs in the user's current folder instead, because it reads and
 * writes files there.
 *
 * @param {string | undefined} name
 * @param {string[]} parameters
 */
export async function runTool(name, parameters) {
  // Progress goes to stderr, because the output of the tool can be redirected to a file.
  const terminal = new Terminal(process.stderr, process.env);
  try {
    await prepare({ root, terminal });
    const script = scriptOf(name);
    process.chdir(folderFor(name, root));
    Object.assign(process.env, { ...addressesFor(name, join(root, '.data', 'run.json')), ...process.env });
    process.argv = [process.execPath, script, ...parameters];
    await import(pathToFileURL(script).href);
  } catch (error) {
    terminal.failure(error);
    process.exit(1);
  }
}

/** @param {string | undefined} name */
function scriptOf(name) {
  const tools = join(root, 'dist', 'tools');
  const candidates = /^[a-z0-9-]+$/.test(name ?? '')
    ? [join(tools, `${name}`, 'main.js'), join(tools, `${name}.js`)]
    : [];
  const script = candidates.find((file) => existsSync(file));
  if (script) return script;
  const names = readdirSync(tools).filter(
    (entry) => existsSync(join(tools, entry, 'main.js')) || entry.endsWith('.js'),
  );
  throw new StartError(
    `There is no tool "${name ?? ''}". The tools are ${names.map((entry) => entry.replace(/\.js$/, '')).join(', ')}.`,
  );
}
