/** A place where we do in another way what a library does, since that is faster. docs/performance.md lists all of them. */
export interface SpeedTrick {
  name: string;
  /** The package whose way is replaced, and the version that was read when this was written. */
  library: string;
  version: string;
  /** False: the library's own way is taken, which is slower and otherwise the same. */
  isOn: boolean;
}

const all: SpeedTrick[] = [];

/** Those of all modules that are loaded. */
export const speedTricks: readonly SpeedTrick[] = all;

/** The environment variable SPEED_TRICKS_OFF names those that are off, with commas between them. */
export function speedTrick(name: string, library: string, version: string): SpeedTrick {
  const off = (process.env['SPEED_TRICKS_OFF'] ?? '').split(',');
  const trick = { name, library, version, isOn: !off.includes(name) };
  all.push(trick);
  return trick;
}
