import type { SchemaPart } from '@platform/persistence';

/** Lists, search words, reviews and health of apps in the marketplace. */
export const marketplacePart: SchemaPart = {
  tables: `
  -- Sort keys of the marketplace: a row for each app. Triggers of apps, installs and reviews keep
  -- it up to date.
  CREATE TABLE app_listings (
    app_id text PRIMARY KEY CONSTRAINT app_listings_app_fkey REFERENCES apps ON DELETE CASCADE,
    is_listed boolean NOT NULL,
    category text NOT NULL,
    sort_name text NOT NULL,
    published_at timestamptz,
    install_count integer NOT NULL DEFAULT 0 CONSTRAINT app_listings_install_count_check CHECK (install_count >= 0),
    action_count bigint NOT NULL DEFAULT 0 CONSTRAINT app_listings_action_count_check CHECK (action_count >= 0),
    review_count integer NOT NULL DEFAULT 0,
    rating_sum integer NOT NULL DEFAULT 0,
    rating numeric(3,2) GENERATED ALWAYS AS (CASE WHEN review_count = 0 THEN 0 ELSE round(rating_sum::numeric /
      review_count, 2) END) STORED NOT NULL,
    CONSTRAINT app_listings_rating_check CHECK (review_count >= 0 AND rating_sum BETWEEN review_count AND 5 *
      review_count)
  );
  CREATE INDEX app_listings_actions_idx ON app_listings (action_count DESC, install_count DESC, app_id) WHERE
    is_listed;
  CREATE INDEX app_listings_installs_idx ON app_listings (install_count DESC, app_id) WHERE is_listed;
  CREATE INDEX app_listings_rating_idx ON app_listings (rating DESC, review_count DESC, app_id) WHERE is_listed;
  CREATE INDEX app_listings_newest_idx ON app_listings (published_at DESC, app_id) WHERE is_listed;
  CREATE INDEX app_listings_name_idx ON app_listings (sort_name, app_id) WHERE is_listed;
  CREATE INDEX app_listings_category_actions_idx ON app_listings (category, action_count DESC, install_count DESC,
    app_id) WHERE is_listed;
  CREATE INDEX app_listings_category_installs_idx ON app_listings (category, install_count DESC, app_id) WHERE
    is_listed;
  CREATE INDEX app_listings_category_rating_idx ON app_listings (category, rating DESC, review_count DESC, app_id)
    WHERE is_listed;
  CREATE INDEX app_listings_category_newest_idx ON app_listings (category, published_at DESC, app_id) WHERE
    is_listed;
  CREATE INDEX app_listings_category_name_idx ON app_listings (category, sort_name, app_id) WHERE is_listed;

  -- Words of each listed app: of its name (weight A), its summary (B) and its description (C).
  CREATE TABLE app_search (
    app_id text PRIMARY KEY CONSTRAINT app_search_app_fkey REFERENCES apps ON DELETE CASCADE,
    popularity smallint NOT NULL,
    name_words tsvector NOT NULL,
    summary_words tsvector NOT NULL,
    words tsvector NOT NULL
  );
  -- With the default statistics (100) the planner takes rare words for frequent ones. With 1,000, it
  -- needs more than half of the time of a search to read them.
  ALTER TABLE app_search ALTER name_words SET STATISTICS 300;
  ALTER TABLE app_search ALTER summary_words SET STATISTICS 300;
  ALTER TABLE app_search ALTER words SET STATISTICS 300;
  CREATE INDEX app_search_name_idx ON app_search USING gin (name_words);
  CREATE INDEX app_search_summary_idx ON app_search USING gin (summary_words);
  CREATE INDEX app_search_words_idx ON app_search USING gin (words);
  -- A search for a frequent word reads the most popular apps first. The words of the names are in
  -- the index, so it does not read the table.
  CREATE INDEX app_search_popularity_idx ON app_search (popularity DESC, app_id) INCLUDE (name_words);

  -- Words that a mistyped word is compared with. A word that no app has any more finds nothing.
  CREATE TABLE app_words (
    word text PRIMARY KEY
  );
  CREATE INDEX app_words_trigram_idx ON app_words USING gin (word gin_trgm_ops);

  CREATE TABLE reviews (
    id text PRIMARY KEY,
    app_id text NOT NULL CONSTRAINT reviews_app_fkey REFERENCES apps ON DELETE CASCADE,
    user_id text NOT NULL CONSTRAINT reviews_user_fkey REFERENCES users,
    rating smallint NOT NULL CONSTRAINT reviews_rating_check CHECK (rating BETWEEN 1 AND 5),
    title text NOT NULL DEFAULT '',
    body text NOT NULL,
    helpful_count integer NOT NULL DEFAULT 0 CONSTRAINT reviews_helpful_count_check CHECK (helpful_count >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT reviews_app_user_key UNIQUE (app_id, user_id)
  );
  CREATE INDEX reviews_helpful_idx ON reviews (app_id, helpful_count, created_at, id);
  CREATE INDEX reviews_created_idx ON reviews (app_id, created_at, id);
  CREATE INDEX reviews_rating_idx ON reviews (app_id, rating, created_at, id);
  CREATE INDEX reviews_user_idx ON reviews (user_id);

  CREATE TABLE review_votes (
    review_id text CONSTRAINT review_votes_review_fkey REFERENCES reviews ON DELETE CASCADE,
    user_id text CONSTRAINT review_votes_user_fkey REFERENCES users,
    helpful boolean NOT NULL,
    CONSTRAINT review_votes_pkey PRIMARY KEY (review_id, user_id)
  );
  CREATE INDEX review_votes_user_idx ON review_votes (user_id);

  CREATE TABLE app_health_states (
    app_id text
      CONSTRAINT app_health_states_pkey PRIMARY KEY
      CONSTRAINT app_health_states_app_fkey REFERENCES apps ON DELETE CASCADE,
    previous_status text NOT NULL
      CONSTRAINT app_health_states_previous_status_check CHECK (previous_status IN ('healthy', 'degraded',
        'unhealthy', 'unknown')),
    status text NOT NULL
      CONSTRAINT app_health_states_status_check CHECK (status IN ('healthy', 'degraded', 'unhealthy')),
    changed_at timestamptz NOT NULL DEFAULT now()
  );`,
  functions: [
    `
  CREATE FUNCTION similar_app_words(given text) RETURNS SETOF text LANGUAGE sql STABLE
    SET search_path TO gateway, public SET pg_trgm.similarity_threshold TO 0.4 AS $$
    SELECT word FROM app_words WHERE word % given AND word <> given ORDER BY similarity(word, given) DESC, word LIMIT 5
  $$`,
    `
  -- Grows in steps of about a tenth, so that an install seldom changes the place of an app in the
  -- search, and its rows there.
  CREATE FUNCTION app_popularity(installs integer) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(8 * log(2, 1 + installs))::smallint
  $$`,
    `
  -- A category is stored as a word that nobody can type, so that one index also finds the words of
  -- a category.
  CREATE FUNCTION list_app() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    listed boolean := NEW.status = 'active' AND NOT NEW.system;
    shown_name text := folded(left(NEW.display_name, 200));
    summary text := folded(concat_ws(' ', left(array_to_string(NEW.tags, ' '), 1000), left(NEW.category, 50), left(NEW.short_description, 1000)));
    in_name tsvector;
    in_summary tsvector;
  BEGIN
    INSERT INTO app_listings (app_id, is_listed, category, sort_name, published_at)
      VALUES (NEW.app_id, listed, NEW.category, shown_name, coalesce(NEW.published_at, NEW.created_at))
      ON CONFLICT (app_id) DO UPDATE SET is_listed = excluded.is_listed, category = excluded.category,
        sort_name = excluded.sort_name, published_at = excluded.published_at;
    IF NOT listed THEN
      DELETE FROM app_search WHERE app_id = NEW.app_id;
      RETURN NULL;
    END IF;
    in_name := setweight(to_tsvector('english', concat_ws(' ', shown_name, NEW.app_id)) || array_to_tsvector(ARRAY['#' || left(NEW.category, 50)]), 'A');
    in_summary := in_name || setweight(to_tsvector('english', summary), 'B');
    INSERT INTO app_search (app_id, popularity, name_words, summary_words, words)
      SELECT app_id, app_popularity(install_count), in_name, in_summary,
        in_summary || setweight(to_tsvector('english', folded(left(concat_ws(' ', NEW.description, NEW.long_description), 4000))), 'C')
      FROM app_listings WHERE app_id = NEW.app_id
      ON CONFLICT (app_id) DO UPDATE SET name_words = excluded.name_words, summary_words = excluded.summary_words, words = excluded.words;
    -- Words in one order, so that two apps with the same new words do not deadlock.
    INSERT INTO app_words SELECT lexeme FROM unnest(to_tsvector('simple', concat_ws(' ', shown_name, summary)))
      WHERE lexeme ~ '^[[:alpha:]][[:alnum:]]{2,39}$' ORDER BY lexeme ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$`,
    `
  CREATE FUNCTION count_install() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    more integer := 0;
    counted app_listings;
  BEGIN
    IF TG_OP <> 'DELETE' AND NEW.removed_at IS NULL THEN more := more + 1; END IF;
    IF TG_OP <> 'INSERT' AND OLD.removed_at IS NULL THEN more := more - 1; END IF;
    IF more = 0 THEN RETURN NULL; END IF;
    UPDATE app_listings SET install_count = install_count + more WHERE app_id = coalesce(NEW.app_id, OLD.app_id) RETURNING * INTO counted;
    UPDATE app_search SET popularity = app_popularity(counted.install_count)
      WHERE app_id = counted.app_id AND popularity <> app_popularity(counted.install_count);
    IF more < 0 THEN
      -- An app that is installed again is enabled. A statement of its own, so that it sees an app
      -- that was disabled while this one waited for the row.
      DELETE FROM disabled_extensions WHERE user_id = OLD.user_id AND app_id = OLD.app_id;
    END IF;
    RETURN NULL;
  END
  $$`,
    `
  CREATE FUNCTION count_review() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    reviews_more integer := 0;
    rating_more integer := 0;
  BEGIN
    IF TG_OP <> 'DELETE' THEN reviews_more := reviews_more + 1; rating_more := rating_more + NEW.rating; END IF;
    IF TG_OP <> 'INSERT' THEN reviews_more := reviews_more - 1; rating_more := rating_more - OLD.rating; END IF;
    UPDATE app_listings SET review_count = review_count + reviews_more, rating_sum = rating_sum + rating_more
      WHERE app_id = coalesce(NEW.app_id, OLD.app_id);
    RETURN NULL;
  END
  $$`,
    `
  CREATE FUNCTION count_review_vote() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    more integer := 0;
  BEGIN
    IF TG_OP <> 'DELETE' AND NEW.helpful THEN more := more + 1; END IF;
    IF TG_OP <> 'INSERT' AND OLD.helpful THEN more := more - 1; END IF;
    IF more <> 0 THEN
      UPDATE reviews SET helpful_count = helpful_count + more WHERE id = coalesce(NEW.review_id, OLD.review_id);
    END IF;
    RETURN NULL;
  END
  $$`,
  ],
  triggers: `
  CREATE TRIGGER apps_list AFTER INSERT OR UPDATE OF status, system, category, display_name, short_description,
    description, long_description, tags, published_at ON apps FOR EACH ROW EXECUTE FUNCTION list_app();
  CREATE TRIGGER reviews_count AFTER INSERT OR DELETE OR UPDATE OF rating ON reviews FOR EACH ROW EXECUTE FUNCTION
    count_review();
  CREATE TRIGGER review_votes_count AFTER INSERT OR DELETE OR UPDATE OF helpful ON review_votes FOR EACH ROW EXECUTE
    FUNCTION count_review_vote();
  CREATE TRIGGER installs_count AFTER INSERT OR DELETE OR UPDATE OF removed_at ON installs FOR EACH ROW EXECUTE
    FUNCTION count_install();`,
};
