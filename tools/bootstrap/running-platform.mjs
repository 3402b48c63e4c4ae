import { readRun } from './run-file.mjs';

/** Which variables tell a tool where the platform is, and which of its parts each is. */
const VARIABLES = /** @type {Record<string, Record<string, string>>} */ ({
  platform: { PLATFORM_URL: 'auth-gateway' },
  billing: { STRIPE_API_URL: 'payments' },
  bench: { RUNNING_PLATFORM_URL: 'auth-gateway' },
  tour: { GATEWAY_URL: 'auth-gateway', PANEL_URL: 'panel', MAILBOX_URL: 'mailbox' },
});

/**
 * What a tool needs to find the platform that runs from this folder. Empty for other tools, and when none runs; the command line is told that, too.
 *
 * Tools of billing whose environment names a database or a key of Stripe are not about it.
 *
 * @param {string | undefined} tool
 * @param {string} runFile
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function addressesFor(tool, runFile, { DATABASE_URL, STRIPE_SECRET_KEY } = process.env) {
  if (tool === 'billing' && (DATABASE_URL || STRIPE_SECRET_KEY)) return {};
  const variables = Object.entries(VARIABLES[tool ?? ''] ?? {});
  const urls = variables.length ? readRun(runFile)?.urls : undefined;
  const found = urls ? Object.fromEntries(variables.flatMap(([variable, part]) => (urls[part] ? [[variable, urls[part]]] : []))) : {};
  return tool === 'platform' ? { ...found, PLATFORM_CLONE_URL: found['PLATFORM_URL'] ?? '' } : found;
}

/**
 * Where a tool runs: in the folder of the clone. The command line reads and writes files of the folder that somebody is in; npm leaves that, and
 * says which it was.
 *
 * @param {string | undefined} tool
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function folderFor(tool, root, { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env) {
  if (tool !== 'platform') return root;
  return script === 'platform' && calledIn ? calledIn : process.cwd();
}
