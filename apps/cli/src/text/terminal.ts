/** True unless the variable is unset, empty, 0 or false, as in `CI=` and `CI=false`. */
const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:|0|false)$/i.test(value);

/**
 * True if the user can be asked: stdin and stderr are terminals, and CI is not set, since CI jobs
 * can have a terminal without a user.
 */
export const isPersonThere = (): boolean => process.stdin.isTTY && process.stderr.isTTY && !isOn(process.env['CI']);

/**
 * True if a line on standard error can change in place: a terminal that is not `dumb`, outside of
 * CI. A terminal with an unknown width counts as false, since ora would divide by zero and write
 * endlessly.
 */
export function showsLiveLines(): boolean {
  const { isTTY, columns } = process.stderr;
  return isTTY && columns > 0 && process.env['TERM'] !== 'dumb' && !isOn(process.env['CI']);
}

/**
 * True if standard output shows colours. FORCE_COLOR alone decides if it is set: `0` and `false`
 * disable colours, other values enable them, also without a terminal. Otherwise, a terminal shows
 * them unless it is `dumb` or NO_COLOR is set.
 */
export function showsColours(): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR) return isOn(FORCE_COLOR);
  return process.stdout.isTTY && TERM !== 'dumb' && !NO_COLOR;
}
