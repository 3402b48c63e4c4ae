/**
 * A place where our code replaces a step of a library by a faster one. docs/performance.md lists
 * all of them.
 */
export interface SpeedTrick {
  name: string;
  /** The package, and the version that was current when the trick was written. */
  library: string;
  version: string;
  /** False: the library's own step runs, which is slower and otherwise the same. */
  isOn: boolean;
}

const all: SpeedTrick[] = [];

/** Tricks of all loaded modules. */
export const speedTricks: readonly SpeedTrick[] = all;

/**
 * Registers and returns a speed trick: a place where our own code replaces code of a library, with
 * the version of the library that it was written for. It is off if its name is in the environment
 * variable SPEED_TRICKS_OFF, a list with commas.
 */
export function speedTrick(name: string, library: string, version: string): SpeedTrick {
  const off = (process.env['SPEED_TRICKS_OFF'] ?? '').split(',');
  const trick = { name, library, version, isOn: !off.includes(name) };
  all.push(trick);
  return trick;
}
