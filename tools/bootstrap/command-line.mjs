import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuild } from './build.mjs';
import { runCommand } from './command.mjs';
import { requireWritable, root } from './folder.mjs';
import { HELP } from './help.mjs';
import { prepare } from './prepare.mjs';
import { RunFile } from './run-file.mjs';
import { listenForStop } from './stop-request.mjs';
import { Terminal } from './terminal.mjs';

/**
 * Runs the platform until it is asked to stop, then ends the process with exit code 0, or 1 after a
 * failure.
 *
 * @param {string[]} parameters
 */
export async function main(parameters) {
  const { help, watch } = parse(parameters);
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const terminal = new Terminal(process.stdout, process.env);
  const runFile = new RunFile(join(root, '.data', 'run.json'));
  const { requested, forced } = listenForStop();
  let claimed = false;
  let exitCode = 0;
  try {
    requireWritable(root);
    await runFile.claim(terminal);
    claimed = true;
    requested.addEventListener('abort', () => runFile.markStopping());
    const preparation = { root, terminal, stop: requested, runFile };
    await prepare(preparation);
    const build = () => ensureBuild(preparation);
    const runScript = (
      /** @type {string} */ script,
      /** @type {NodeJS.ProcessEnv} */ env,
      /** @type {string} */ failure,
    ) => runCommand(process.execPath, [script], { root, env, trace: script, failure, stop: requested, runFile });
    const { start } = await importSupervisor();
    await start({ root, watch, terminal, runFile, requested, forced, build, runScript });
  } catch (error) {
    if (!requested.aborted) {
      terminal.failure(error);
      exitCode = 1;
    }
  }
  if (claimed) runFile.release();
  process.exit(exitCode);
}

/** @param {string[]} parameters */
function parse(parameters) {
  try {
    const options = /** @type {const} */ ({ help: { type: 'boolean', short: 'h' }, watch: { type: 'boolean' } });
    const { values } = parseArgs({ args: parameters, options });
    return { help: Boolean(values.help), watch: Boolean(values.watch) };
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message.split('. ')[0] : String(error)}. "npm start -- --help" lists the options.`,
    );
    process.exit(1);
  }
}

/** @returns {Promise<typeof import('../supervise/main.js')>} */
function importSupervisor() {
  return import(pathToFileURL(join(root, 'dist', 'tools', 'supervise', 'main.js')).href);
}
