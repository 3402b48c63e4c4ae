/** The key of the last row of a batch. */
export interface BatchEnd {
  first: string;
  second: string;
}

/**
 * Goes through a table by a primary key of two texts: calls `batch` with the key at which the last
 * batch ended, first with two empty texts, until it returns an empty list. Each batch can be its
 * own transaction, so that others wait only for one batch.
 *
 * @param batch changes about a thousand rows at most that come after the key `after`, and returns a
 * list with the key of the last of them; an empty list if there are no more.
 */
export async function forEachBatch(batch: (after: [string, string]) => Promise<BatchEnd[]>): Promise<void> {
  let after: [string, string] = ['', ''];
  for (;;) {
    const [last] = await batch(after);
    if (!last) return;
    after = [last.first, last.second];
  }
}
