import { readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {'quick' | 'whole' | 'redis' | 'redis-short'} Tier */

/**
 * Decides by file name if a spec belongs to a tier. jest.config.ts has the same rule as globs;
 * tiers.spec.ts compares both.
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

const COMMANDS = { quick: 'npm test', whole: 'npm run test:whole', redis: 'npm run test:redis' };

const FOLDERS = ['apps', 'libs', 'tools', 'examples'];

/** Error in the command line: its message is printed, and the exit code is 2. */
export class UsageError extends Error {}

/** @param {string} name @returns {Tier} */
export function tierNamed(name) {
  const tier = TIERS.find((known) => known === name);
  if (!tier) throw new UsageError(`There is no tier "${name}". The tiers are ${TIERS.join(', ')}.`);
  return tier;
}

/**
 * Reads `<tier> [options] [patterns]`.
 *
 * @param {string[]} parameters
 * @returns {{ tier: Tier, patterns: string[], name: string | undefined, testsOnly: boolean }}
 *   `name` is a pattern for test names
 */
export function readCommandLine([name = '', ...parameters]) {
  const base = tierNamed(name);
  const { values, positionals } = parse(parameters);
  if (values.short && base !== 'redis') throw new UsageError('Only npm run test:redis takes --short.');
  const isPart = positionals.length > 0 || values.name !== undefined;
  return {
    tier: values.short ? 'redis-short' : base,
    patterns: positionals,
    name: values.name,
    testsOnly: Boolean(values['tests-only']) || isPart,
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
      `${reason}. Options: --tests-only, --name <pattern of test names>, and --short for Redis. For other options of Jest, run npx jest.`,
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
 * Finds the specs of a tier that match a pattern.
 *
 * @param {string[]} patterns regular expressions for paths relative to the root, or paths that
 *   begin with `./` or `/`
 * @param {Tier} tier
 * @param {string[]} files
 * @returns {string[]} without duplicates
 * @throws UsageError if a pattern matches no spec of the tier. The message names a tier with
 *   matches.
 */
export function specsWith(patterns, tier, files) {
  const found = patterns.flatMap((pattern) => {
    const expression = expressionOf(pattern);
    const matching = files.filter((file) => expression.test(file));
    const ofTier = filesOf(tier, matching);
    if (ofTier.length) return ofTier;
    const elsewhere = Object.entries(COMMANDS).find(([other]) => filesOf(tierNamed(other), matching).length);
    const hint = elsewhere ? ` Run ${elsewhere[1]} -- ${pattern}` : '';
    throw new UsageError(`No spec of this tier has "${pattern}" in its path.${hint}`);
  });
  return [...new Set(found)];
}

/** @param {string} pattern */
function expressionOf(pattern) {
  const path = isAbsolute(pattern) ? relative('.', pattern) : pattern.replace(/^\.\//, '');
  try {
    return new RegExp(path, 'i');
  } catch {
    throw new UsageError(`"${pattern}" is not a valid regular expression.`);
  }
}
