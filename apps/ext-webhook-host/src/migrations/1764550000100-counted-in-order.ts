import type { MigrationInterface, QueryRunner } from 'typeorm';

const counting = (order: string): string => `
  CREATE OR REPLACE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM ext_host.add_document_usage(tenant_id, app_id, documents, bytes) FROM (
        SELECT tenant_id, app_id, count(*) AS documents, sum(bytes) AS bytes FROM added GROUP BY tenant_id, app_id ${order}
      ) AS changes;
    ELSIF TG_OP = 'DELETE' THEN
      PERFORM ext_host.add_document_usage(tenant_id, app_id, -documents, -bytes) FROM (
        SELECT tenant_id, app_id, count(*) AS documents, sum(bytes) AS bytes FROM removed GROUP BY tenant_id, app_id ${order}
      ) AS changes;
    ELSE
      PERFORM ext_host.add_document_usage(tenant_id, app_id, documents, bytes) FROM (
        SELECT tenant_id, app_id, sum(documents)::bigint AS documents, sum(bytes)::bigint AS bytes FROM (
          SELECT tenant_id, app_id, 1 AS documents, bytes FROM added
          UNION ALL SELECT tenant_id, app_id, -1, -bytes FROM removed
        ) AS both_ways GROUP BY tenant_id, app_id ${order}
      ) AS changes;
    END IF;
    RETURN NULL;
  END $$`;

/**
 * A purge deletes what several apps keep by one statement, and counts it app by app: in one order, so that two of them cannot wait for each
 * other. Safe on a live table: a function is replaced by one that does the same.
 */
export class CountedInOrder1764550000100 implements MigrationInterface {
  name = 'CountedInOrder1764550000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(counting('ORDER BY tenant_id, app_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(counting(''));
  }
}
