import { readRun } from './run-file.mjs';

/**
 * Environment variables that give a tool the URLs of the platform: tool, variable, part of the
 * platform.
 */
const VARIABLES = /** @type {Record<string, Record<string, string>>} */ ({
  platform: { PLATFORM_URL: 'auth-gateway' },
  billing: { STRIPE_API_URL: 'payments' },
  bench: { RUNNING_PLATFORM_URL: 'auth-gateway' },
  tour: { GATEWAY_URL: 'auth-gateway', PANEL_URL: 'panel', MAILBOX_URL: 'mailbox' },
  screenshots: { GATEWAY_URL: 'auth-gateway', PANEL_URL: 'panel', PAYMENTS_URL: 'payments' },
});

/**
 * Environment variables with which a tool finds the platform that runs from this folder. Empty for
 * other tools and if no platform runs; only the command line (`platform`) then gets an empty
 * PLATFORM_CLONE_URL, so that it knows.
 * Billing tools get none if the environment already names a database or a Stripe key: then they
 * work on another platform.
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
  const found = urls
    ? Object.fromEntries(variables.flatMap(([variable, part]) => (urls[part] ? [[variable, urls[part]]] : [])))
    : {};
  return tool === 'platform' ? { ...found, PLATFORM_CLONE_URL: found['PLATFORM_URL'] ?? '' } : found;
}

/**
 * Working folder of a tool: the folder of the clone. The command line works in the user's folder
 * instead; npm changes the folder but passes the original one in INIT_CWD.
 *
 * @param {string | undefined} tool
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function folderFor(tool, root, { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env) {
  if (tool !== 'platform') return root;
  return script === 'platform' && calledIn ? calledIn : process.cwd();
}
