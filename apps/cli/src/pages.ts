const PAGE = 100;

/**
 * Reads a list in pages of 100 entries, each page when it is needed. Entries that are added or
 * deleted meanwhile can be missing or appear twice.
 */
export async function* pagesOf<T>(
  read: (page: { limit: number; offset: number }) => Promise<T[]>,
): AsyncGenerator<T[]> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await read({ limit: PAGE, offset });
    yield page;
    if (page.length < PAGE) return;
  }
}

/** All entries of the pages. */
export async function collected<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
