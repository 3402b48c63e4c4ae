import { PLATFORM_SERVICES } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';

const newServiceToken = (name: string) => `${name}:${randomBytes(24).toString('base64url')}`;

/** Generators of development values, by variable. */
const GENERATORS: Record<string, () => string> = {
  SECRET_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  SERVICE_TOKENS: () => Object.keys(PLATFORM_SERVICES).map(newServiceToken).join(),
  ADMIN_EMAIL: () => 'admin@platform.local',
  ADMIN_PASSWORD: () => randomBytes(12).toString('base64url'),
};

/**
 * Returns the environment of a development machine with its secrets added. They are read from
 * `file`; missing ones are generated and written to it. A variable of the environment has
 * precedence and is not written to the file; an empty value counts as absent. In production nothing
 * is read or generated. If the file cannot be written, as in a container with a read-only root,
 * nothing is generated: a missing secret then stops the start.
 */
export function withDevelopmentSecrets(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  if (env['NODE_ENV'] === 'production') return env;
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  if (!canWrite(dirname(file))) return { ...kept, ...given(env) };
  const missing = Object.keys(GENERATORS).filter((name) => !kept[name] && !env[name]);
  for (const name of missing) kept[name] = GENERATORS[name]?.();
  if (missing.length) write(file, kept);
  return { ...kept, ...given(env) };
}

const given = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/**
 * Creates the folder if it is missing, but not the folders above it. True if files can be created
 * in it. A recursive `mkdir` of Node.js would never end below /proc.
 */
function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' && isWritable(folder);
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The environment of this process, with the development secrets of `.data/dev.env` in its working
 * directory; in production without them.
 */
export const developmentEnvironment = (): NodeJS.ProcessEnv => withDevelopmentSecrets(process.env, '.data/dev.env');

/**
 * Writes the file under another name first and then renames it, so that no process reads half of
 * it.
 */
function write(file: string, values: NodeJS.Dict<string>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value ?? ''}\n`);
  const text = `# Development credentials, generated on the first start. Never use them in production.\n${lines.join('')}`;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}
