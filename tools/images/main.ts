import { EmbeddedPostgres } from '@platform/persistence';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTour } from '../tour/tour.js';
import { ensureNodeImage, NODE_IMAGE } from './base-image.js';
import { Buildah } from './buildah.js';
import { requireConfinement } from './confinement.js';
import { BuildahRunner } from './image-runner.js';
import { ImagesPlatform } from './images-platform.js';
import { requireProgram } from './programs.js';
import { dockerfileOf, imageOf, readStages, readTargets } from './targets.js';

const HELP = `Usage: npm run images [-- [--built] [--replicas]]

Builds each image of docker/Dockerfile with buildah, starts a platform from them and runs the tour on it, with the queues on PostgreSQL and then on Redis. Prints the size of
each image, the time until each process is ready and its memory. Needs root, buildah, redis-server and, if no registry can be reached, mmdebstrap
(Debian: apt-get install buildah mmdebstrap redis-server).

  --built         uses the existing images
  --replicas      then tests two of each service and worker behind a round-robin proxy, on both kinds of queues: the tour, races, and a rolling restart under load
  IMAGES_FOLDER   folder for the images, some gigabytes (.data/images)`;

interface Redis {
  url: string;
  stop: () => Promise<void>;
}

const MOST_OWN_MEGABYTES = 250;
const targets = readTargets();

async function build(buildah: Buildah): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const revision = execFileSync('git', ['rev-parse', 'HEAD']).toString().trim();
  const arguments_ = [`VERSION=${version}`, `REVISION=${revision}`].flatMap((one) => ['--build-arg', one]);
  const source = sourceAddress();
  const options = [
    '--isolation',
    'chroot',
    ...arguments_,
    ...(source ? ['--label', `org.opencontainers.image.source=${source}`] : []),
  ];
  console.log(`The base ${NODE_IMAGE}: ${await ensureNodeImage(buildah)}`);
  // Builds stages one by one: for each target, buildah would otherwise run through the stages
  // before it, and copy all files for each instruction.
  const file = readStages();
  const folder = mkdtempSync(join(tmpdir(), 'platform-dockerfiles-'));
  try {
    for (const stage of file.stages) {
      const started = performance.now();
      const dockerfile = join(folder, stage.name);
      writeFileSync(dockerfile, dockerfileOf(stage, file));
      const layers = `--layers=${stage.name === 'build'}`; // so that `npm ci` is not repeated
      await buildah.build(dockerfile, imageOf(stage), [...options, layers]);
      console.log(`${stage.name} is built (${((performance.now() - started) / 1_000).toFixed(0)} s)`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Public https address of the repository, without credentials. Undefined if the clone came from
 * another kind of address.
 */
function sourceAddress(): string | undefined {
  const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' });
  const address = stdout.trim();
  if (!/^https:/.test(address) || !URL.canParse(address)) return undefined;
  return Object.assign(new URL(address), { username: '', password: '' }).href;
}

async function measure(buildah: Buildah, runner: BuildahRunner): Promise<void> {
  const container = await buildah.from(NODE_IMAGE);
  const base = await buildah.megabytes(await buildah.mount(container));
  await buildah.call('rm', container);
  for (const target of targets) {
    const own = (await runner.megabytes(target)) - base;
    console.log(`${target.name.padEnd(24)} ${own.toFixed(0).padStart(4)} MB beyond the base of ${base.toFixed(0)} MB`);
    if (own > MOST_OWN_MEGABYTES)
      throw new Error(`${target.name} is more than ${MOST_OWN_MEGABYTES} MB larger than its base.`);
    await requireConfinement(runner, target);
  }
  console.log('Each image runs as its own user and can write only to /tmp.');
}

async function play(runner: BuildahRunner, redisUrl?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-images-'));
  const postgres = await EmbeddedPostgres.start({ directory: folder, settings: {} });
  const platform = new ImagesPlatform(runner, '/tmp');
  try {
    await postgres.ensureDatabase('platform');
    await platform.start(postgres.url('platform'), redisUrl);
    await runTour({ ...platform.addresses, print: console.log });
    console.log(`\nWith the queues on ${redisUrl ? 'Redis' : 'PostgreSQL'}:`);
    for (const line of platform.figures()) console.log(line);
    platform.requireSmallMemory();
    await platform.stop();
  } catch (error) {
    console.error(platform.lastOutput());
    throw error;
  } finally {
    await platform.stop().catch(() => undefined); // the original error is thrown already
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the specs of tools/replicas with processes from the images, on both kinds of queues. @throws
 * Error if one fails.
 */
function playReplicas(folder: string): void {
  const env = { ...process.env, PLATFORM_IMAGES: folder };
  for (const tier of ['test:whole', 'test:redis'])
    execFileSync('npm', ['run', tier, '--', 'tools/replicas'], { stdio: 'inherit', env });
}

/**
 * Starts Redis from a file that is not compiled, because the test runner uses it before there is a
 * build.
 */
async function startRedis(): Promise<Redis> {
  const file = pathToFileURL(resolve('tools/jest/redis-server.mjs')).href;
  const { RedisServer } = (await import(file)) as { RedisServer: { start: () => Promise<Redis> } };
  return RedisServer.start();
}

const parameters = process.argv.slice(2);
const OPTIONS = ['--replicas', '--built'];
if (parameters.some((parameter) => !OPTIONS.includes(parameter))) {
  console.log(HELP);
  process.exit(parameters[0] === '--help' ? 0 : 1);
}
if (process.getuid?.() !== 0) throw new Error('npm run images needs Linux and root. Run it as root.');
await requireProgram('buildah');
await requireProgram('unshare');
const storage = resolve(process.env['IMAGES_FOLDER'] ?? '.data/images');
mkdirSync(storage, { recursive: true });
const buildah = new Buildah(storage);
const started = performance.now();
if (!parameters.includes('--built')) await build(buildah);
const runner = await BuildahRunner.of(buildah, targets);
const redis = await startRedis();
try {
  await measure(buildah, runner);
  await play(runner);
  await play(runner, redis.url);
} finally {
  await redis.stop();
  await runner.close();
}
if (parameters.includes('--replicas')) playReplicas(storage);
console.log(
  `The tour passed twice on the images; everything took ${((performance.now() - started) / 60_000).toFixed(1)} min`,
);
