import { EmbeddedPostgres } from '@platform/persistence';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runTour } from '../tour/tour.js';
import { ensureNodeImage, NODE_IMAGE } from './base-image.js';
import { Buildah } from './buildah.js';
import { BuildahRunner } from './image-runner.js';
import { PlatformOfImages } from './platform-of-images.js';
import { imageOf, readTargets } from './targets.js';

const HELP = `Usage: npm run images

Builds every image of docker/Dockerfile with buildah, starts a platform from them and plays the tour through it. Prints how large they are, how soon each process is ready and
what it holds. Needs root, buildah and, where no registry can be reached, mmdebstrap (Debian: apt-get install buildah mmdebstrap).

  IMAGES_FOLDER   where images are kept, some gigabytes; .data/images unless said`;

const MOST_OWN_MEGABYTES = 250;

async function build(buildah: Buildah): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const revision = execFileSync('git', ['rev-parse', 'HEAD']).toString().trim();
  const options = ['--isolation', 'chroot', '--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`];
  console.log(`The base ${NODE_IMAGE}: ${await ensureNodeImage(buildah)}`);
  const targets = readTargets();
  for (const target of targets) {
    const started = performance.now();
    await buildah.build(target.name, imageOf(target), options);
    console.log(`${target.name} is built (${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
  const base = await buildah.megabytes(NODE_IMAGE);
  for (const target of targets) {
    const own = (await buildah.megabytes(imageOf(target))) - base;
    console.log(`${target.name.padEnd(24)} ${own.toFixed(0).padStart(4)} MB beyond the base of ${base.toFixed(0)} MB`);
    if (own > MOST_OWN_MEGABYTES) throw new Error(`${target.name} has more than ${MOST_OWN_MEGABYTES} MB of its own.`);
  }
}

async function play(buildah: Buildah): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-images-'));
  const postgres = await EmbeddedPostgres.start({ directory: folder, settings: {} });
  const platform = new PlatformOfImages(new BuildahRunner(buildah), '/tmp');
  try {
    await postgres.ensureDatabase('platform');
    await platform.start(postgres.url('platform'));
    await runTour({ ...platform.addresses, print: console.log });
    for (const line of platform.figures()) console.log(line);
  } catch (error) {
    console.error(platform.lastOutput());
    throw error;
  } finally {
    await platform.stop().catch(() => undefined); // what failed is thrown already
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv.length > 2) {
  console.log(HELP);
  process.exit(process.argv[2] === '--help' ? 0 : 1);
}
const storage = resolve(process.env['IMAGES_FOLDER'] ?? '.data/images');
mkdirSync(storage, { recursive: true });
const buildah = new Buildah(storage);
const started = performance.now();
await build(buildah);
await play(buildah);
console.log(`Every image was built, and the tour passed through them, in ${((performance.now() - started) / 60_000).toFixed(1)} min`);
