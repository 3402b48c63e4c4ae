import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Folder of the user's settings on this system: `$XDG_CONFIG_HOME` or `~/.config`, `~/Library/Preferences`, `%APPDATA%`. What is empty or no absolute path
 * counts as not set. Null where nothing says where the user is at home, such as for a user of a container that is a number alone.
 */
export function configFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  homes: readonly (() => string)[] = HOMES,
): string | null {
  const home = homeOf(homes);
  const { XDG_CONFIG_HOME, APPDATA } = env;
  if (platform === 'win32') return within(APPDATA, 'platform', 'Config') ?? within(home, 'AppData', 'Roaming', 'platform', 'Config');
  if (platform === 'darwin') return within(home, 'Library', 'Preferences', 'platform');
  return within(XDG_CONFIG_HOME, 'platform') ?? within(home, '.config', 'platform');
}

const within = (folder: string | null | undefined, ...parts: string[]): string | null =>
  folder && isAbsolute(folder) ? join(folder, ...parts) : null;

/** Ways to find the home directory: HOME, then the list of users. */
const HOMES = [homedir, () => userInfo().homedir];

/** Node.js throws where it finds none. */
function homeOf(homes: readonly (() => string)[]): string | null {
  for (const find of homes) {
    try {
      const found = find();
      if (isAbsolute(found)) return found;
    } catch {
      // the other one may know
    }
  }
  return null;
}
