import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 1_000;
/** So many looks in a row have to see the same build before it counts as finished, since it may be on its way out of a cache. */
const STABLE_LOOKS = 3;

/**
 * Calls `update` when somebody else has built (`npm test` does, and what runs a tool) and `stamp`, the file in which a build says which one it
 * is, says another than at first; until `stop` aborts. Services import some of their parts when they first need them, and a build takes
 * away those of the one before.
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

/** Null while there is none. */
function buildOf(stamp: string): string | null {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}
