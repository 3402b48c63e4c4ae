import { CATEGORIES } from '@platform/contracts';
import { Client } from 'pg';

export const CATEGORY = 'productivity';

/**
 * Search words by frequency. SHARES says how many apps have each in their name, summary and
 * description.
 */
export const WORDS = { frequent: 'assistant', usual: 'calendar', seldom: 'ledger', rare: 'quixotic' };

/** Numbers of apps in a thousand. */
const SHARES: Record<string, { name: number; summary: number; description: number }> = {
  [WORDS.frequent]: { name: 130, summary: 300, description: 600 },
  [WORDS.usual]: { name: 14, summary: 50, description: 150 },
  [WORDS.seldom]: { name: 2, summary: 5, description: 14 },
};
/** Number of apps with the rare word in their name, for every total. */
const RARE_APPS = 20;

const VOCABULARY = 30_000;
/** Flattens the distribution, so that the most frequent words are not in every text. */
const FLATTENED = 20;
const SYLLABLES = 'ba ca da fi ge ho ju ke le li mo my nu pa po ra se ta ti vo wa xa zu'.split(' ');
const BATCH = 2_000;

const TABLES = ['apps', 'app_listings', 'app_search', 'app_words'];

/**
 * Inserts apps with texts whose words are as unevenly frequent as those of a language (Zipf's law),
 * through the triggers that run for a real app. The indexes are created at the end, which takes a
 * tenth of the time.
 */
export async function fillMarketplace(databaseUrl: string, count: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // Turns off the foreign keys to developers and versions, which the lists do not read.
    await client.query(`SET session_replication_role = 'replica'; SET search_path = gateway, public; SET maintenance_work_mem = '512MB';
      ALTER TABLE apps ENABLE ALWAYS TRIGGER apps_list`);
    const indexes = await dropIndexes(client);
    const random = randomNumbers(count);
    const words = vocabulary(random);
    for (let first = 0; first < count; first += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_value, at) =>
        appOf(first + at, count, words, random),
      );
      await client.query(
        `INSERT INTO apps (app_id, developer_id, display_name, short_description, description, category, tags, status, served_version, published_at)
         SELECT app_id, 'usr_bench', display_name, short_description, description, category, tags, 'active', '1.0.0', now() - n * interval '1 minute'
         FROM jsonb_to_recordset($1) AS a (n integer, app_id text, display_name text, short_description text, description text, category text, tags text[])`,
        [JSON.stringify(rows)],
      );
    }
    await client.query(
      `UPDATE app_listings SET action_count = 10 * installs, install_count = installs, review_count = installs / 10, rating_sum = installs / 10 * 4
       FROM (SELECT app_id, (exp(12 * (hashtext(app_id) & 1023) / 1024.0 * (hashtext('x' || app_id) & 1023) / 1024.0))::int AS installs FROM app_listings) AS i
       WHERE i.app_id = app_listings.app_id;
       UPDATE app_search s SET popularity = app_popularity(l.install_count) FROM app_listings l WHERE l.app_id = s.app_id`,
    );
    for (const definition of indexes) await client.query(definition);
    for (const table of TABLES) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

/**
 * Drops the indexes that belong to no constraint. Returns the statements that create them again.
 */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [TABLES],
  );
  await client.query(`DROP INDEX ${rows.map(({ name }) => name).join(', ')}`);
  return rows.map(({ definition }) => definition);
}

type Random = () => number;

function appOf(n: number, count: number, words: readonly string[], random: Random) {
  const some = (length: number): string[] =>
    Array.from(
      { length },
      () => words[Math.floor(FLATTENED * (words.length / FLATTENED) ** random()) - FLATTENED] ?? '',
    );
  const planted = (place: 'name' | 'summary' | 'description'): string[] =>
    Object.entries(SHARES)
      .filter(([, shares]) => random() * 1_000 < shares[place])
      .map(([word]) => word);
  const isRare =
    n % Math.max(1, Math.floor(count / RARE_APPS)) === 0 && n / Math.max(1, Math.floor(count / RARE_APPS)) < RARE_APPS;
  return {
    n,
    app_id: `app-${n}`,
    display_name: [...some(2), ...planted('name'), ...(isRare ? [WORDS.rare] : [])].join(' '),
    short_description: [...some(10), ...planted('summary')].join(' '),
    description: [...some(60), ...planted('description')].join(' '),
    category: CATEGORIES[n % CATEGORIES.length]?.id,
    tags: some(3),
  };
}

function vocabulary(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const syllables = Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
    );
    words.add(syllables.join(''));
  }
  return [...words];
}

/** Random numbers that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
