// What the speed tricks of the build have in common: docs/performance.md lists them.

/**
 * `SPEED_TRICKS_OFF` has the names of those that a build is made without.
 *
 * @param {string} name
 * @param {string} library of which it replaces something
 * @param {string} version for which it was written
 */
export function buildTrick(name, library, version) {
  return { name, library, version, isOn: !(process.env['SPEED_TRICKS_OFF'] ?? '').split(',').includes(name) };
}

/**
 * The texts of a bundle's files with what stands in one of them replaced; as they are when the trick is off.
 *
 * @param {readonly string[]} texts
 * @param {{ isOn: boolean }} trick
 * @param {string} from
 * @param {string} to
 * @throws Error when it does not stand in one of them: esbuild writes it in another way
 */
export function replaceInOne(texts, { isOn }, from, to) {
  if (texts.filter((text) => text.includes(from)).length !== 1) throw new Error(`esbuild writes this in another way now: ${from}`);
  return isOn ? texts.map((text) => text.replace(from, () => to)) : texts;
}
