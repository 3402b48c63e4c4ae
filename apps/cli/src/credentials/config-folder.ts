import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Folder of this command among the user's settings: `platform` in `$XDG_CONFIG_HOME` or
 * `~/.config`; on macOS in `~/Library/Preferences`; on Windows `platform\Config` in `%APPDATA%` or
 * `~\AppData\Roaming`. Empty and relative paths count as not set. Null if no folder is set and the
 * home folder is unknown, for example for a container user that has only a number.
 */
export function configFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  homes: readonly (() => string)[] = HOMES,
): string | null {
  const home = homeOf(homes);
  const { XDG_CONFIG_HOME, APPDATA } = env;
  if (platform === 'win32')
    return within(APPDATA, 'platform', 'Config') ?? within(home, 'AppData', 'Roaming', 'platform', 'Config');
  if (platform === 'darwin') return within(home, 'Library', 'Preferences', 'platform');
  return within(XDG_CONFIG_HOME, 'platform') ?? within(home, '.config', 'platform');
}

const within = (folder: string | null | undefined, ...parts: string[]): string | null =>
  folder && isAbsolute(folder) ? join(folder, ...parts) : null;

/** Ways to find the home folder: HOME, then the list of users. */
const HOMES = [homedir, () => userInfo().homedir];

/**
 * Returns the first absolute path that one of `homes` finds; null if none finds one. Node.js throws
 * if it finds no home folder.
 */
function homeOf(homes: readonly (() => string)[]): string | null {
  for (const find of homes) {
    try {
      const found = find();
      if (isAbsolute(found)) return found;
    } catch {
      // try the next way
    }
  }
  return null;
}
