import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The words of apps are folded as those of a search are. Only apps with other characters than ASCII are read again: those alone have other words now.
 * Safe beside running code, whose searches find such apps by the words of before until they are folded.
 */
export class FoldedAppTexts1764685001010 implements MigrationInterface {
  name = 'FoldedAppTexts1764685001010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(listApp((text) => `folded(${text})`, 'shown_name'));
    await runner.query(RELIST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(listApp((text) => text, 'lower(shown_name)'));
    await runner.query(RELIST);
  }
}

const RELIST = `
  UPDATE apps SET display_name = display_name WHERE concat_ws(' ', display_name, array_to_string(tags, ' '), short_description, description, long_description) ~ '[^\\x01-\\x7f]'`;

/**
 * The trigger that lists an app.
 *
 * @param folded an expression of SQL for a text as the words of apps have it
 * @param sortName of `shown_name`
 */
const listApp = (folded: (text: string) => string, sortName: string): string => `
  CREATE OR REPLACE FUNCTION list_app() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    listed boolean := NEW.status = 'active' AND NOT NEW.system;
    shown_name text := ${folded('left(NEW.display_name, 200)')};
    summary text := ${folded("concat_ws(' ', left(array_to_string(NEW.tags, ' '), 1000), left(NEW.category, 50), left(NEW.short_description, 1000))")};
    in_name tsvector;
    in_summary tsvector;
  BEGIN
    INSERT INTO app_listings (app_id, is_listed, category, sort_name, published_at)
      VALUES (NEW.app_id, listed, NEW.category, ${sortName}, coalesce(NEW.published_at, NEW.created_at))
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
        in_summary || setweight(to_tsvector('english', ${folded("left(concat_ws(' ', NEW.description, NEW.long_description), 4000)")}), 'C')
      FROM app_listings WHERE app_id = NEW.app_id
      ON CONFLICT (app_id) DO UPDATE SET name_words = excluded.name_words, summary_words = excluded.summary_words, words = excluded.words;
    -- In one order everywhere, so that two apps with the same new words do not wait for each other.
    INSERT INTO app_words SELECT lexeme FROM unnest(to_tsvector('simple', concat_ws(' ', shown_name, summary)))
      WHERE lexeme ~ '^[[:alpha:]][[:alnum:]]{2,39}$' ORDER BY lexeme ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;
`;
