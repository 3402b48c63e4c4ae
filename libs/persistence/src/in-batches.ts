/** The key of the last row of a batch. */
export interface BatchEnd {
  first: string;
  second: string;
}

/**
 * Goes through a table by a primary key of two texts, so that each batch can be a transaction of its own and nobody waits for longer.
 *
 * @param batch changes the rows that come after a key, at most a thousand or so, and returns the last of them; nothing when there are no more.
 */
export async function inBatches(batch: (after: [string, string]) => Promise<BatchEnd[]>): Promise<void> {
  let after: [string, string] = ['', ''];
  for (;;) {
    const [last] = await batch(after);
    if (!last) return;
    after = [last.first, last.second];
  }
}
