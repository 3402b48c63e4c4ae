import { once } from 'node:events';
import type { BuildahRunner } from './image-runner.js';
import type { Target } from './targets.js';

/** The user in docker/Dockerfile. */
const USER = 10001;

/** Prints the user of the process, and the error of a write to each path. */
const PROBE = `
const { writeFileSync } = require('node:fs');
const write = (folder) => { try { writeFileSync(folder + '/probe', ''); return 'written'; } catch ({ code }) { return code; } };
console.log(JSON.stringify({ user: process.getuid(), group: process.getgid(), root: write(''), program: write('/platform'), variable: write('/var/lib'), temporary: write('/tmp') }));
`;

const EXPECTED = { user: USER, group: USER, root: 'EROFS', program: 'EROFS', variable: 'EROFS', temporary: 'written' };

/** @throws Error if a process of the image has another user, or can write outside of /tmp. */
export async function requireConfinement(runner: BuildahRunner, target: Target): Promise<void> {
  const child = runner.startProgram(target, ['tini', '--', 'node', '--eval', PROBE], {});
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  await once(child, 'close');
  const said = output.join('').trim();
  if (said !== JSON.stringify(EXPECTED)) throw new Error(`${target.name} is not confined correctly: ${said}`);
}
