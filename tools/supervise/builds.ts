import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 1_000;
/**
 * Number of looks in a row that must see the same build, since a build can still be copied from a
 * cache.
 */
const STABLE_LOOKS = 3;

/**
 * Calls `update` after another program has built, until `stop` aborts. `npm test` and the runner of
 * tools also build. `stamp` is the file with the id of the build. Services import some modules
 * later, and a build deletes the files of the previous one.
 */
export async function followBuilds(
  stamp: string,
  stop: AbortSignal,
  update: () => Promise<void>,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<void> {
  let running = buildOf(stamp);
  let seen = running;
  let looks = 0;
  const isStopped = () => delay(lookEveryMs, false, { signal: stop }).catch(() => true);
  while (!(await isStopped())) {
    const built = buildOf(stamp);
    looks = built === seen ? looks + 1 : 0;
    seen = built;
    if (built === null || built === running || looks < STABLE_LOOKS) continue;
    running = built;
    await update();
  }
}

/** Null while there is no build. */
function buildOf(stamp: string): string | null {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}
