// Shared by the speed tricks of the build, which docs/performance.md lists.

/**
 * Describes one trick. It is off if SPEED_TRICKS_OFF, a comma-separated list, contains its name.
 *
 * @param {string} name
 * @param {string} library whose code it replaces
 * @param {string} version of the library that it was written for
 */
export function buildTrick(name, library, version) {
  return { name, library, version, isOn: !(process.env['SPEED_TRICKS_OFF'] ?? '').split(',').includes(name) };
}

/**
 * Replaces `from` by `to` in the one text that contains it. Returns the texts unchanged if the
 * trick is off.
 *
 * @param {readonly string[]} texts
 * @param {{ isOn: boolean }} trick
 * @param {string} from
 * @param {string} to
 * @throws Error if not exactly one text contains `from`, because esbuild now writes it differently
 */
export function replaceInOne(texts, { isOn }, from, to) {
  if (texts.filter((text) => text.includes(from)).length !== 1)
    throw new Error(`esbuild now writes this differently: ${from}`);
  return isOn ? texts.map((text) => text.replace(from, () => to)) : texts;
}
