/** What is longer is no name that somebody mistyped. */
const LONGEST = 24;

/** A name that is not among those that are known. */
export interface NearMiss {
  of: string;
  among: Iterable<string>;
}

/** ` Did you mean "function"?` behind a sentence, or nothing where none of `known` is near. */
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

/** How many characters are missing, too many, others, or changed places with their neighbour. */
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
