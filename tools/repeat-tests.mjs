// `npm run test:repeat`: runs the specs of a tier several times, each time in another order, and
// prints a table of the failures. `--help` lists the options.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RedisServer } from './jest/redis-server.mjs';
import { tierNamed, UsageError } from './jest/tiers.mjs';

const HELP = `npm run test:repeat -- [options]

  --tier <tier>    quick (default), whole, redis or redis-short
  --times <n>      number of runs, 1 to 100 (default 5)
  --busy <n>       number of processes that keep a processor busy during the tests, 0 to 64 (default 0)
  --seed <n>       seed of the order of the first run; the next runs have the numbers after it (default: random)
  --date <date>    each run starts at this time (UTC), such as "2026-02-28 23:58:00". It must be in the past, because files keep their real times. Needs Linux and a C compiler (apt-get install gcc libc6-dev)`;

/**
 * Shell script that gives every process of a run another time, including processes with another
 * environment: all processes that see this /etc preload a library. Its parameters: an empty
 * directory, the library, the program.
 */
const WITH_ANOTHER_DATE = `set -e
mkdir "$1/upper" "$1/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" /etc
echo "$2" > /etc/ld.so.preload
shift 2
exec "$@"`;

const SEEDS = 1_000_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions();
const { times, busy, tier, date } = options;
/** @type {import('node:child_process').ChildProcess[]} */
const busyProcesses = [];
process.once('exit', () => busyProcesses.forEach((child) => child.kill('SIGKILL')));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1));

const redis = tier.startsWith('redis') ? await startRedis() : null;
process.once('exit', () => redis?.server.kill());
if ((await run('node_modules/.bin/nx', ['run', 'workspace:build'])).code !== 0) process.exit(1);
while (busyProcesses.length < busy)
  busyProcesses.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const rows = [];
for (let at = 0; at < times; at++) rows.push(await runOnce(options.seed + at));
await redis?.stop();

console.log(
  `\n${times} runs of ${tier} beside ${busy} busy processes, on ${cpus().length} processors${date ? `, at ${date.toISOString()}` : ''}`,
);
console.table(Object.fromEntries(rows.map((row, at) => [at + 1, row])));
process.exit(rows.every(({ green }) => green) ? 0 : 1);

async function startRedis() {
  try {
    return await RedisServer.start();
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

/** @param {number} seed */
async function runOnce(seed) {
  console.log(`\n── seed ${seed}`);
  const report = join(root, 'reports', `${tier}.json`);
  rmSync(report, { force: true });
  const env = { TEST_ORDER_SEED: String(seed), ...(redis && { REDIS_URL: redis.url }) };
  const tests = ['tools/jest/all.mjs', tier];
  const { code, seconds } = date
    ? await runAt(date, [process.execPath, ...tests], env)
    : await run(process.execPath, tests, env);
  if (!existsSync(report))
    return { seed, green: false, passed: 0, failed: 0, 'failed twice': 'Jest did not run', flaky: '', seconds };
  /** @type {import('./jest/second-try.mjs').Report} */
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    testResults,
    flaky = [],
  } = JSON.parse(readFileSync(report, 'utf8'));
  const failedTwice = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
  const flakyTests = flaky.map(({ file, test }) => `${file} › ${test}`);
  return {
    seed,
    green: code === 0,
    passed,
    failed,
    'failed twice': failedTwice.join('; '),
    flaky: flakyTests.join('; '),
    seconds,
  };
}

/** @param {Date} start @param {string[]} command @param {NodeJS.ProcessEnv} env */
async function runAt(start, command, env) {
  const directory = mkdtempSync(join(tmpdir(), 'repeat-tests-'));
  try {
    const library = join(directory, 'another-date.so');
    const seconds = Math.round((start.getTime() - Date.now()) / 1_000);
    const compiler = [
      '-O2',
      '-shared',
      '-fPIC',
      `-DOFFSET=${seconds}`,
      '-o',
      library,
      join(root, 'tools', 'jest', 'another-date.c'),
    ];
    if ((await run('cc', compiler)).code !== 0) process.exit(1);
    const shell = ['sh', '-c', WITH_ANOTHER_DATE, 'sh', directory, library, ...command];
    return await run('unshare', ['--user', '--map-root-user', '--mount', ...shell], env);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * @param {string} program
 * @param {string[]} parameters
 * @param {NodeJS.ProcessEnv} env
 */
async function run(program, parameters, env = {}) {
  const started = performance.now();
  const child = spawn(program, parameters, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  child.once('error', ({ message }) => {
    console.error(`${program} does not start: ${message}`);
    process.exit(1);
  });
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  return { code, seconds: Math.round((performance.now() - started) / 1_000) };
}

/** Ends the process with exit code 2 if the command line is wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        tier: { type: 'string', default: 'quick' },
        times: { type: 'string', default: '5' },
        busy: { type: 'string', default: '0' },
        seed: { type: 'string' },
        date: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    return {
      tier: tierNamed(values.tier),
      times: numberOf('--times', values.times, 1, 100),
      busy: numberOf('--busy', values.busy, 0, 64),
      seed: numberOf('--seed', values.seed ?? String(Math.floor(Math.random() * SEEDS)), 0, SEEDS),
      date: values.date === undefined ? null : dateOf(values.date),
    };
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message.split('. ')[0]}. See npm run test:repeat -- --help`);
    process.exit(2);
  }
}

/** @param {string} text */
function dateOf(text) {
  const date = new Date(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`--date is a time in UTC such as "2026-02-28 23:58:00", not "${text}"`);
  return date;
}

/** @param {string} option @param {string} text @param {number} least @param {number} most */
function numberOf(option, text, least, most) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new UsageError(`${option} is a whole number from ${least} to ${most}, not "${text}"`);
  }
  return number;
}
