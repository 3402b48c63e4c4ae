import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from './start-error.mjs';

/** Folder of the clone, independent of the current folder. */
export const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));

/**
 * @throws StartError if a file or folder that a start writes to is not writable, or if the data
 *   belongs to another user.
 * @param {string} folder
 */
export function requireWritable(folder) {
  for (const path of [folder, ...['node_modules', 'dist', '.data'].map((name) => join(folder, name))]) {
    if (existsSync(path) && !isWritable(path)) {
      throw new StartError(
        `The folder ${path} cannot be written by ${userName()}. Start as its owner, make it writable, or clone to another place.`,
      );
    }
  }
  const data = join(folder, '.data');
  // PostgreSQL refuses data of another user, even for root.
  if (existsSync(data) && process.getuid && statSync(data).uid !== process.getuid()) {
    throw new StartError(
      `The data in ${data} belongs to another user (${statSync(data).uid}). Start as that user, or move the data away to start with an empty database.`,
    );
  }
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function userName() {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // a container can run as a user without a name
  }
}
