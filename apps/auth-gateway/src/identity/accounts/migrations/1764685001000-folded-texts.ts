import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Searches compare texts that PostgreSQL has folded on both sides. Safe on a live table: the index is built beside what is written. The version before
 * searches users without an index meanwhile.
 */
export class FoldedTexts1764685001000 implements MigrationInterface {
  name = 'FoldedTexts1764685001000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WHERE_TRIGRAMS_ARE);
    await runner.query(`
      CREATE OR REPLACE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE WHEN octet_length(given) = char_length(given) THEN lower(given)
        ELSE translate(replace(lower(regexp_replace(normalize(given, NFKD), U&'[\\0300-\\036F]', '', 'g')), 'ß', 'ss'), 'ςı', 'σi') END`);
    await runner.query("COMMENT ON FUNCTION folded IS 'Equal for texts that differ in case, in accents or in how a letter is encoded'");
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS users_folded_idx');
    await runner.query(`
      CREATE INDEX CONCURRENTLY users_folded_idx ON users
        USING gin (folded(' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops)`);
    // The usual 100 buckets expect 1 % of all. The index that this one replaces had as many.
    await runner.query('ALTER INDEX users_folded_idx ALTER COLUMN 1 SET STATISTICS 1000');
    await runner.query('ANALYZE users');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS users_search_idx');
    await runner.query('RESET search_path');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(WHERE_TRIGRAMS_ARE);
    await runner.query(`
      CREATE INDEX CONCURRENTLY users_search_idx ON users
        USING gin (lower(' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops)`);
    await runner.query('ALTER INDEX users_search_idx ALTER COLUMN 1 SET STATISTICS 1000');
    await runner.query('DROP INDEX CONCURRENTLY users_folded_idx');
    await runner.query('DROP FUNCTION folded(text)');
    await runner.query('RESET search_path');
  }
}

/** An administrator may have installed `pg_trgm` before, in `public`. */
const WHERE_TRIGRAMS_ARE = 'SET search_path TO gateway, public';
