import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Debian packages, by the program that they contain. */
const PACKAGES = { buildah: 'buildah', mmdebstrap: 'mmdebstrap', unshare: 'util-linux' } as const;

/** @throws Error with the package name if the program is not installed. */
export async function requireProgram(name: keyof typeof PACKAGES): Promise<void> {
  try {
    await run(name, ['--version']);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`npm run images needs ${name}, which is not installed: apt-get install ${PACKAGES[name]}.`, {
      cause: error,
    });
  }
}
