/** Longer texts are not treated as mistyped names. */
const LONGEST = 24;

/** An unknown name and the known names. */
export interface NearMiss {
  of: string;
  among: Iterable<string>;
}

/**
 * ` Did you mean "function"?` for the nearest known name, to append to a sentence. Empty if none is
 * near.
 */
export function didYouMean({ of: text, among: known }: NearMiss): string {
  if (text.length > LONGEST) return '';
  const limit = Math.max(1, Math.floor(text.length / 3));
  let nearest: { name: string; away: number } | undefined;
  for (const name of known) {
    if (name === text || Math.abs(name.length - text.length) > limit || name.length > LONGEST) continue;
    const away = distance(text.toLowerCase(), name.toLowerCase());
    if (away <= limit && away < Math.min(name.length, nearest?.away ?? Infinity)) nearest = { name, away };
  }
  return nearest ? ` Did you mean ${JSON.stringify(nearest.name)}?` : '';
}

/**
 * Edit distance: the number of missing, additional, different and swapped neighbouring characters.
 */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_none, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1];
      let least = Math.min(num(last[at]) + 1, num(current[at - 1]) + 1, num(last[at - 1]) + (same ? 0 : 1));
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        least = Math.min(least, num(before[at - 2]) + 1);
      current.push(least);
    }
    [before, last] = [last, current];
  }
  return num(last.at(-1));
}

const num = (value: number | undefined): number => value ?? 0;
