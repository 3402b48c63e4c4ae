import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {'quick' | 'whole' | 'redis' | 'redis-short'} Tier */

/**
 * The file names of a tier's specs. jest.config.ts has the same rule as globs; tiers.spec.ts compares both.
 *
 * @type {Record<Tier, (file: string) => boolean>}
 */
const BELONGS = {
  quick: (file) => !file.endsWith('.whole.spec.ts'),
  whole: (file) => file.endsWith('.whole.spec.ts'),
  redis: (file) => /\.engines(\.whole)?\.spec\.ts$/.test(file),
  'redis-short': (file) => file.endsWith('.engines.spec.ts'),
};

export const TIERS = /** @type {Tier[]} */ (Object.keys(BELONGS));

/** The command that runs a tier. */
const COMMANDS = { quick: 'npm test', whole: 'npm run test:whole', redis: 'npm run test:redis' };

/** Folders with specs. */
const FOLDERS = ['apps', 'libs', 'tools', 'examples'];

/** A mistake in the command line: its message is printed, and the exit code is 2. */
export class UsageError extends Error {}

/** @param {string} name @returns {Tier} */
export function tierNamed(name) {
  const tier = TIERS.find((known) => known === name);
  if (!tier) throw new UsageError(`There is no tier "${name}". The tiers are ${TIERS.join(', ')}.`);
  return tier;
}

/**
 * Reads `node tools/test.mjs <tier> [options] [patterns]`.
 *
 * @param {string[]} parameters
 * @returns {{ tier: Tier, patterns: string[], testsOnly: boolean, jestOptions: string[] }}
 */
export function readCommandLine([name = '', ...parameters]) {
  const base = tierNamed(name);
  const { values, positionals } = parse(parameters);
  if (values.short && base !== 'redis') throw new UsageError('Only npm run test:redis takes --short.');
  const nameOptions = values.name === undefined ? [] : ['--testNamePattern', values.name];
  return {
    tier: values.short ? 'redis-short' : base,
    patterns: positionals,
    testsOnly: Boolean(values['tests-only']) || positionals.length > 0 || nameOptions.length > 0,
    jestOptions: [...nameOptions, ...positionals],
  };
}

/** @param {string[]} parameters */
function parse(parameters) {
  try {
    return parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { 'tests-only': { type: 'boolean' }, short: { type: 'boolean' }, name: { type: 'string', short: 't' } },
    });
  } catch (error) {
    const [reason] = /** @type {Error} */ (error).message.split('. ');
    throw new UsageError(
      `${reason}. Options: --tests-only, --name <pattern of test names>, and --short for Redis. For all of Jest: npx jest.`,
    );
  }
}

/**
 * @param {string} root of the project
 * @returns {string[]} paths of all spec files, relative to the root
 */
export function specFiles(root) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  ).sort();
}

/** @param {Tier} tier @param {string[]} files */
export const filesOf = (tier, files) => files.filter(BELONGS[tier]);

/**
 * @param {Tier} tier
 * @param {string[]} patterns
 * @param {string[]} files
 * @throws UsageError where a pattern matches no spec of the tier. It names the tier that has some.
 */
export function checkPatterns(tier, patterns, files) {
  for (const pattern of patterns) {
    const expression = expressionOf(pattern);
    const matching = files.filter((file) => expression.test(file));
    if (filesOf(tier, matching).length) continue;
    const elsewhere = Object.entries(COMMANDS).find(([other]) => filesOf(tierNamed(other), matching).length);
    const hint = elsewhere ? ` Run ${elsewhere[1]} -- ${pattern}` : '';
    throw new UsageError(`No spec of this tier has "${pattern}" in its path.${hint}`);
  }
}

/** @param {string} pattern as Jest takes it */
function expressionOf(pattern) {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    throw new UsageError(`"${pattern}" is no regular expression.`);
  }
}
