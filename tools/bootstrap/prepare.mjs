import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { requireWritable } from './folder.mjs';

/**
 * @typedef {object} Preparation
 * @property {string} root the folder of the clone
 * @property {import('../supervise/context.js').Terminal} terminal
 * @property {AbortSignal} [stop] ends the preparation early
 * @property {import('../supervise/context.js').RunFile} [runFile] records the running commands
 */

/**
 * Installs missing dependencies and builds if needed. Takes almost no time if both are current.
 *
 * @param {Preparation} preparation
 */
export async function prepare(preparation) {
  requireWritable(preparation.root);
  await ensureDependencies(preparation);
  await ensureBuild(preparation);
}
