import type { Stats } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { CommandError } from '../failures.js';

const OTHERS = 0o077;

/**
 * Creates the folder if needed, and removes the access of other users, with a warning.
 *
 * @throws CommandError if the folder belongs to another user and this one is not `root`.
 */
export async function ensurePrivateFolder(folder: string, warn: (text: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await stat(folder);
  requireOwner(folder, stats);
  if (isOpenToOthers(stats)) {
    await chmod(folder, 0o700);
    warn(`Other users could read ${folder}. Its permissions are corrected.`);
  }
}

/**
 * Refuses a file or folder of another user, who could read or forge its content. `root` can use
 * all. On Windows, which has no such ids of users, nothing is refused.
 *
 * @throws CommandError if it belongs to another user.
 */
export function requireOwner(path: string, { uid }: Stats): void {
  const me = process.getuid?.();
  if (me && uid !== me)
    throw new CommandError(`${path} belongs to another user and cannot be trusted. Move it to another place.`);
}

/**
 * True if the mode of a file or folder gives other users any access. Always false on Windows, where
 * the mode has no meaning and files of a user are private by default.
 */
export const isOpenToOthers = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & OTHERS) !== 0;
