import type { EntityManager } from 'typeorm';

export interface AppSearch {
  /** Without blanks around it. */
  search: string;
  /** As it is stored. */
  category?: string | undefined;
  limit: number;
  offset: number;
}

/** Where the words of an app stand, the best place first. Each has the words of the one before it too. */
const PLACES = ['name_words', 'summary_words', 'words'];
/** So many apps whose name is just what was searched for come before all others. */
const MOST_NAMED_SO = 5;
const MOST_CORRECTED_WORDS = 8;

/**
 * The ids of the apps that have every word of a search: first those named just so, then those that have the words in their name, in their
 * summary (tags, category and short description), in their description; the most popular first in each. Then those that have words which
 * are spelled like them. The order depends on the search alone, so that pages fit together.
 *
 * However many apps have a word, few of them are read: each place gives as many as are asked for, either by the index of its words or, for
 * a frequent word, by popularity until there are enough.
 */
export async function searchApps(em: EntityManager, { search, category, limit, offset }: AppSearch): Promise<string[]> {
  const wanted = offset + limit;
  const exact = await withWords(em, { search, category, wanted });
  if (exact.length >= wanted) return exact.slice(offset);
  const corrected = await correctedWords(em, search);
  if (!corrected) return exact.slice(offset);
  const similar = await withSimilarWords(em, { corrected, exact, category, wanted: wanted - exact.length });
  return [...exact, ...similar].slice(offset);
}

/** The condition that an app has the words of a search, over `app_search s`, with its values: for lists in another order than that of `searchApps`. */
export async function wordsCondition(em: EntityManager, search: string): Promise<{ condition: string; values: string[] }> {
  const exact = { condition: `s.words @@ ${WORDS_OF('$1')}`, values: [search] };
  const [found] = await em.query<unknown[]>(
    `SELECT 1 FROM app_search s WHERE ${exact.condition} ORDER BY popularity DESC, app_id LIMIT 1`,
    exact.values,
  );
  const corrected = found ? null : await correctedWords(em, search);
  return corrected ? { condition: `s.words @@ ${CORRECTED('$1')}`, values: [corrected] } : exact;
}

/** Folded as the words of apps are. */
const WORDS_OF = (parameter: string) => `plainto_tsquery('english', folded(${parameter}))`;
const CORRECTED = (parameter: string) => `to_tsquery('english', ${parameter})`;

interface Wanted {
  search: string;
  category: string | undefined;
  wanted: number;
}

async function withWords(em: EntityManager, { search, category, wanted }: Wanted): Promise<string[]> {
  const query = category === undefined ? WORDS_OF('$1') : `${WORDS_OF('$1')} && $3::tsquery`;
  // Or a search for nothing but `the` would find the whole category.
  const besides = `AND numnode(${WORDS_OF('$1')}) > 0`;
  const rows = await em.query<{ app_id: string }[]>(
    `(SELECT app_id FROM app_listings WHERE is_listed AND sort_name = folded($1) ${category === undefined ? '' : 'AND category = $2'}
      ORDER BY install_count DESC, app_id LIMIT ${MOST_NAMED_SO})
     UNION ALL ${inPlaces(query, wanted + MOST_NAMED_SO, besides)}`,
    category === undefined ? [search] : [search, category, categoryWord(category)],
  );
  return [...new Set(rows.map(({ app_id }) => app_id))].slice(0, wanted);
}

/** Without `exact`: these are all that have the words as they were given. */
async function withSimilarWords(
  em: EntityManager,
  { corrected, exact, category, wanted }: Omit<Wanted, 'search'> & { corrected: string; exact: string[] },
): Promise<string[]> {
  const inCategory = category === undefined ? '' : ' && $3::tsquery';
  const rows = await em.query<{ app_id: string }[]>(inPlaces(`${CORRECTED('$1')}${inCategory}`, wanted, 'AND app_id <> ALL ($2)'), [
    corrected,
    exact,
    ...(category === undefined ? [] : [categoryWord(category)]),
  ]);
  return rows.map(({ app_id }) => app_id);
}

/** PostgreSQL takes the parts one after the other, and the next one only while there are not enough. */
function inPlaces(query: string, wanted: number, besides: string): string {
  const parts = PLACES.map(
    (words, at) =>
      `(SELECT app_id FROM app_search WHERE ${words} @@ (${query}) ${at ? `AND NOT ${PLACES[at - 1]} @@ (${query})` : ''} ${besides}
        ORDER BY popularity DESC, app_id LIMIT ${wanted})`,
  );
  return `${parts.join(' UNION ALL ')} LIMIT ${wanted}`;
}

/** The word that stands for a category in `app_search`, as text of a tsquery. */
const categoryWord = (category: string): string => `'#${category.replaceAll(/['\\]/g, '$&$&')}'`;

/**
 * The search as text of a tsquery, in which every word may also be one of those that are spelled like it; null when there are none.
 * Words that the search leaves out (`the`) stay left out.
 */
async function correctedWords(em: EntityManager, search: string): Promise<string | null> {
  const rows = await em.query<{ word: string; similar: string[] }[]>(
    `SELECT word, ARRAY(SELECT similar_app_words(word)) AS similar
     FROM unnest(tsvector_to_array(to_tsvector('simple', folded($1)))) AS word
     WHERE word ~ '^[[:alnum:]]{1,40}$' AND numnode(${WORDS_OF('word')}) > 0 LIMIT ${MOST_CORRECTED_WORDS}`,
    [search],
  );
  if (!rows.some(({ similar }) => similar.length)) return null;
  return rows.map(({ word, similar }) => `(${[word, ...similar].map((one) => `'${one}'`).join(' | ')})`).join(' & ');
}
