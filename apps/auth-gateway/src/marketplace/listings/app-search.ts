import type { EntityManager } from 'typeorm';

export interface AppSearch {
  /** Without spaces at the ends. */
  search: string;
  /** Id as stored in the database. */
  category?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * Columns with the words of an app, best match first. Each column contains the words of the
 * previous column too.
 */
const WORD_COLUMNS = ['name_words', 'summary_words', 'words'];
/** Most apps with exactly the searched name that come before all others. */
const MAX_EXACT_NAMES = 5;
const MAX_CORRECTED_WORDS = 8;

/**
 * Returns the ids of a page of the apps that contain all words of a search: exact name matches
 * first, then matches in the name, in the summary (tags, category, short description) and in the
 * description; within each group the most popular first. Apps with similarly spelled words follow.
 * The order depends only on the search, so pages are consistent.
 *
 * It reads few rows even for frequent words: each group stops after `offset` + `limit` apps.
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

/**
 * Returns an SQL condition, with its values, for the words of a search in `app_search s`. If no app
 * contains them, it is for similarly spelled words, if there are any. Use it for lists that do not
 * have the order of `searchApps`.
 */
export async function wordsCondition(
  em: EntityManager,
  search: string,
): Promise<{ condition: string; values: string[] }> {
  const exact = { condition: `s.words @@ ${WORDS_OF('$1')}`, values: [search] };
  const [found] = await em.query<unknown[]>(
    `SELECT 1 FROM app_search s WHERE ${exact.condition} ORDER BY popularity DESC, app_id LIMIT 1`,
    exact.values,
  );
  const corrected = found ? null : await correctedWords(em, search);
  return corrected ? { condition: `s.words @@ ${CORRECTED('$1')}`, values: [corrected] } : exact;
}

/**
 * Makes the SQL of a search for all words of a text. They are normalised in the same way as the
 * words of apps.
 */
const WORDS_OF = (parameter: string) => `plainto_tsquery('english', folded(${parameter}))`;
const CORRECTED = (parameter: string) => `to_tsquery('english', ${parameter})`;

interface Wanted {
  search: string;
  category: string | undefined;
  wanted: number;
}

async function withWords(em: EntityManager, { search, category, wanted }: Wanted): Promise<string[]> {
  const query = category === undefined ? WORDS_OF('$1') : `${WORDS_OF('$1')} && $3::tsquery`;
  // Otherwise a search for only `the` would find the whole category.
  const besides = `AND numnode(${WORDS_OF('$1')}) > 0`;
  const rows = await em.query<{ app_id: string }[]>(
    `(SELECT app_id FROM app_listings WHERE is_listed AND sort_name = folded($1) ${category === undefined ? '' : 'AND category = $2'}
      ORDER BY install_count DESC, app_id LIMIT ${MAX_EXACT_NAMES})
     UNION ALL ${inPlaces(query, wanted + MAX_EXACT_NAMES, besides)}`,
    category === undefined ? [search] : [search, category, categoryWord(category)],
  );
  return [...new Set(rows.map(({ app_id }) => app_id))].slice(0, wanted);
}

/**
 * Finds apps with similarly spelled words, most popular first within a group. Leaves out `exact`,
 * all apps that contain the words as typed.
 */
async function withSimilarWords(
  em: EntityManager,
  { corrected, exact, category, wanted }: Omit<Wanted, 'search'> & { corrected: string; exact: string[] },
): Promise<string[]> {
  const inCategory = category === undefined ? '' : ' && $3::tsquery';
  const rows = await em.query<{ app_id: string }[]>(
    inPlaces(`${CORRECTED('$1')}${inCategory}`, wanted, 'AND app_id <> ALL ($2)'),
    [corrected, exact, ...(category === undefined ? [] : [categoryWord(category)])],
  );
  return rows.map(({ app_id }) => app_id);
}

/**
 * Makes the SQL that finds `wanted` apps by their words: matches in the name, then in the summary,
 * then in the description. PostgreSQL evaluates the parts in order and stops when it has enough
 * rows.
 */
function inPlaces(query: string, wanted: number, besides: string): string {
  const parts = WORD_COLUMNS.map(
    (words, at) =>
      `(SELECT app_id FROM app_search WHERE ${words} @@ (${query}) ${at ? `AND NOT ${WORD_COLUMNS[at - 1]} @@ (${query})` : ''} ${besides}
        ORDER BY popularity DESC, app_id LIMIT ${wanted})`,
  );
  return `${parts.join(' UNION ALL ')} LIMIT ${wanted}`;
}

/** Makes the word that stands for a category in `app_search`, as text of a tsquery. */
const categoryWord = (category: string): string => `'#${category.replaceAll(/['\\]/g, '$&$&')}'`;

/**
 * Returns the search as text of a tsquery, in which each word also matches similarly spelled words
 * of apps. Null if there are no similar words. Stop words (`the`) and words after the first eight
 * are left out.
 */
async function correctedWords(em: EntityManager, search: string): Promise<string | null> {
  const rows = await em.query<{ word: string; similar: string[] }[]>(
    `SELECT word, ARRAY(SELECT similar_app_words(word)) AS similar
     FROM unnest(tsvector_to_array(to_tsvector('simple', folded($1)))) AS word
     WHERE word ~ '^[[:alnum:]]{1,40}$' AND numnode(${WORDS_OF('word')}) > 0 LIMIT ${MAX_CORRECTED_WORDS}`,
    [search],
  );
  if (!rows.some(({ similar }) => similar.length)) return null;
  return rows.map(({ word, similar }) => `(${[word, ...similar].map((one) => `'${one}'`).join(' | ')})`).join(' & ');
}
