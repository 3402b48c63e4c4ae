const PAGE = 100;

/** The pages of a list, each asked for when it is wanted. What comes or goes between two of them may be missed, or be on both. */
export async function* pagesOf<T>(read: (page: { limit: number; offset: number }) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await read({ limit: PAGE, offset });
    yield page;
    if (page.length < PAGE) return;
  }
}

/** All that is on them. */
export async function collected<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
