import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A position for each event, in the order in which events can be seen, for those who follow them. Safe on a live table: the events that are there get position 0
 * without being written, and what the release before writes meanwhile is placed by this one. From now on the text of an event, which is what is sent, has a limit: PostgreSQL writes
 * numbers without an exponent, so that 64 KiB of JSON could be megabytes. Events of before are not sent, so they are not checked.
 */
export class PositionsOfEvents1764650000700 implements MigrationInterface {
  name = 'PositionsOfEvents1764650000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE platform_events_insert_seq;
      CREATE SEQUENCE platform_events_position_seq;
      ALTER TABLE platform_events ADD COLUMN insert_number bigint, ADD COLUMN position bigint DEFAULT 0, ADD COLUMN payload_length integer;
      ALTER TABLE platform_events ALTER COLUMN insert_number SET DEFAULT nextval('platform_events_insert_seq'), ALTER COLUMN position DROP DEFAULT;
      ALTER TABLE platform_events ADD CONSTRAINT platform_events_payload_check CHECK (octet_length(payload::text) <= 131072) NOT VALID`);
    await runner.query(PLACE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION platform_events_place;
      ALTER TABLE platform_events DROP CONSTRAINT platform_events_payload_check, DROP COLUMN insert_number, DROP COLUMN position, DROP COLUMN payload_length;
      DROP SEQUENCE platform_events_insert_seq, platform_events_position_seq`);
  }
}

/**
 * Events get their positions after their transactions have committed, from one caller at a time. So nobody who has read up to a position misses a lower one: it would
 * else come when a transaction commits late. Returns how many were placed. A row that somebody deletes at this moment is left for the next call.
 */
const PLACE = `
  CREATE FUNCTION platform_events_place(most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    placed integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('platform_events_place', 0));
    -- A statement of its own, which sees what the caller before has committed.
    UPDATE platform_events e SET position = next.position
    FROM (
      SELECT id, nextval('platform_events_position_seq') AS position
      FROM (SELECT id FROM platform_events WHERE position IS NULL ORDER BY insert_number NULLS FIRST LIMIT most FOR UPDATE SKIP LOCKED) AS waiting
    ) AS next
    WHERE e.id = next.id;
    GET DIAGNOSTICS placed = ROW_COUNT;
    RETURN placed;
  END $$`;
