import { readFileSync } from 'node:fs';

/** A stage of docker/Dockerfile that becomes an image. */
export interface Target {
  name: string;
  /** Name of the contents that `collect.mjs` copies into it. */
  contents: string;
  /** Arguments of `node`, which the image's init starts. */
  command: string[];
}

const STAGE = /^FROM (\S+) AS (\S+)$/gm;
const CONTENTS = /^COPY --from=contents \/images\/(\S+) \.\/$/m;
const COMMAND = /^CMD (\[.*\])$/m;

/** A stage of a Dockerfile, which becomes an image or not. */
export interface Stage {
  name: string;
  /** The stage's own part of the file. */
  text: string;
}

/** Splits a Dockerfile into its stages, in order, and the text before the first. */
export function stagesOf(dockerfile: string): { head: string; stages: Stage[] } {
  const starts = [...dockerfile.matchAll(STAGE)];
  const stages = starts.map(({ 2: name = '', index }, at) => ({
    name,
    text: dockerfile.slice(index, starts[at + 1]?.index),
  }));
  return { head: dockerfile.slice(0, starts[0]?.index), stages };
}

/**
 * Dockerfile with this stage alone; earlier stages are replaced by their images, which must exist.
 */
export function dockerfileOf(stage: Stage, { head, stages }: ReturnType<typeof stagesOf>): string {
  const before = new Set(stages.slice(0, stages.indexOf(stage)).map(({ name }) => name));
  const text = stage.text
    .replace(/^FROM (\S+)/m, (all, base: string) => (before.has(base) ? `FROM ${imageOf({ name: base })}` : all))
    .replace(/^COPY --from=(\S+)/gm, (all, from: string) =>
      before.has(from) ? `COPY --from=${imageOf({ name: from })}` : all,
    );
  return head + text;
}

/** Stages that become images, in the order of the file: those with a command of their own. */
export function targetsOf(dockerfile: string): Target[] {
  const found = new Map<string, Target>();
  for (const { name, text } of stagesOf(dockerfile).stages) {
    const base = /^FROM (\S+)/.exec(text)?.[1] ?? '';
    const command = COMMAND.exec(text)?.[1];
    if (!command) continue;
    const contents = CONTENTS.exec(text)?.[1] ?? found.get(base)?.contents;
    if (!contents) throw new Error(`The stage ${name} copies no folder of /images/.`);
    found.set(name, { name, contents, command: JSON.parse(command) as string[] });
  }
  return [...found.values()];
}

const readDockerfile = (): string => readFileSync('docker/Dockerfile', 'utf8');

export const readStages = () => stagesOf(readDockerfile());

export const readTargets = (): Target[] => targetsOf(readDockerfile());

export const imageOf = ({ name }: Pick<Target, 'name'>): string => `localhost/platform/${name}`;
