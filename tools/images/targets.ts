import { readFileSync } from 'node:fs';

/** A stage of docker/Dockerfile that is an image. */
export interface Target {
  name: string;
  /** What `collect.mjs` puts into it. */
  contents: string;
  /** What its init starts, as arguments of `node`. */
  command: string[];
}

const STAGE = /^FROM (\S+) AS (\S+)$/gm;
const CONTENTS = /^COPY --from=build \/images\/(\S+) \.\/$/m;
const COMMAND = /^CMD (\[.*\])$/m;

/** In the order of the file. A stage without a command of its own is no image. */
export function targetsOf(dockerfile: string): Target[] {
  const stages = [...dockerfile.matchAll(STAGE)];
  const found = new Map<string, Target>();
  for (const [at, { 1: base = '', 2: name = '', index }] of stages.entries()) {
    const text = dockerfile.slice(index, stages[at + 1]?.index);
    const command = COMMAND.exec(text)?.[1];
    if (!command) continue;
    const contents = CONTENTS.exec(text)?.[1] ?? found.get(base)?.contents;
    if (!contents) throw new Error(`The stage ${name} copies nothing of /images/ into its folder.`);
    found.set(name, { name, contents, command: JSON.parse(command) as string[] });
  }
  return [...found.values()];
}

export const readTargets = (): Target[] => targetsOf(readFileSync('docker/Dockerfile', 'utf8'));

export const imageOf = ({ name }: Target): string => `localhost/platform/${name}`;
