import type { Stats } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { CommandError } from '../failures.js';

const OTHERS = 0o077;

/** Makes sure that the folder is there and nobody else can look into it. */
export async function ensurePrivateFolder(folder: string, warn: (text: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await stat(folder);
  requireOwner(folder, stats);
  if (isOpenToOthers(stats)) {
    await chmod(folder, 0o700);
    warn(`Other users could look into ${folder}; they no longer can.`);
  }
}

/** Refuses what another user owns: they could read it, or have put it there. */
export function requireOwner(path: string, { uid }: Stats): void {
  const me = process.getuid?.();
  if (me && uid !== me) throw new CommandError(`${path} belongs to another user, so nothing in it can be trusted. Move it away.`);
}

/** Windows keeps permissions elsewhere, and private by default. */
export const isOpenToOthers = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & OTHERS) !== 0;
