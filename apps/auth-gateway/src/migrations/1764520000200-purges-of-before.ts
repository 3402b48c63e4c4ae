import type { MigrationInterface, QueryRunner } from 'typeorm';

const AT_ONCE = 1_000;

/**
 * What was to be deleted before `PurgesOfAll1764520000100`: of users who were erased, of apps that are deleted and, with 30 days from now on,
 * since nobody was told, of installs that a release removed which did not know of it. In batches, each a transaction of its own; it locks
 * what it adds and nothing else. After a failure it begins anew.
 */
export class PurgesOfBefore1764520000200 implements MigrationInterface {
  name = 'PurgesOfBefore1764520000200';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, removed_at, due_at)
       SELECT '*', app_id, false, coalesce(developer_id, app_id), now(), now() + interval '30 days' FROM retired_app_ids ON CONFLICT DO NOTHING`,
    );
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows = (await runner.query(
        `WITH batch AS MATERIALIZED (SELECT id, tenant_id, erased_at FROM users WHERE id > $1 ORDER BY id LIMIT ${AT_ONCE}),
         erased AS (
           INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
           SELECT id, '*', true, id, tenant_id, now(), now() FROM batch WHERE erased_at IS NOT NULL ON CONFLICT DO NOTHING),
         removed AS (
           INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
           SELECT i.user_id, i.app_id, false, i.user_id, i.tenant_id, i.removed_at, now() + interval '30 days'
           FROM batch b JOIN installs i ON i.user_id = b.id WHERE i.removed_at IS NOT NULL
             AND NOT EXISTS (SELECT FROM document_purges p WHERE p.user_id = i.user_id AND p.app_id = i.app_id)
           ON CONFLICT DO NOTHING)
         SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
        [after],
      )) as { id: string }[];
      after = rows[0]?.id;
    }
  }

  async down(): Promise<void> {}
}
