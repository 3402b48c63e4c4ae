/** Values that count as not set: `CI=`, `CI=false`. */
const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:|0|false)$/i.test(value);

/** True where a person can be asked: a terminal on both sides, and no CI, whose jobs may have one that nobody looks at. */
export const isPersonThere = (): boolean => process.stdin.isTTY && process.stderr.isTTY && !isOn(process.env['CI']);

/** True where a line on standard error may change while a person watches. A terminal may not tell its width; ora would divide by it and write for ever. */
export function showsLiveLines(): boolean {
  const { isTTY, columns } = process.stderr;
  return isTTY && columns > 0 && process.env['TERM'] !== 'dumb' && !isOn(process.env['CI']);
}

/** True where standard output shows colours: FORCE_COLOR says so for what is no terminal, too, NO_COLOR forbids it for a terminal. */
export function showsColours(): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR) return isOn(FORCE_COLOR);
  return process.stdout.isTTY && TERM !== 'dumb' && !NO_COLOR;
}
