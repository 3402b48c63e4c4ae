import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit log: monthly partitions that take inserts only, and a hash chain per tenant that is linked at commit. Creates tables and
 * functions only, so it is safe beside running code.
 */
export class Audit1763900000000 implements MigrationInterface {
  name = 'Audit1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        tenant_id text NOT NULL,
        actor_type text NOT NULL CONSTRAINT audit_entries_actor_check CHECK (actor_type IN ('user', 'api_key', 'service', 'system')),
        actor_id text NOT NULL,
        on_behalf_of text,
        action text NOT NULL,
        target_type text NOT NULL,
        target_id text NOT NULL,
        before_state jsonb,
        after_state jsonb,
        metadata jsonb NOT NULL DEFAULT '{}',
        ip_address text,
        user_agent text,
        request_id text,
        PRIMARY KEY (id, created_at)
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX audit_entries_tenant_idx ON audit_entries (tenant_id, created_at, id);
      CREATE INDEX audit_entries_actor_idx ON audit_entries (tenant_id, actor_id, created_at, id);
      CREATE INDEX audit_entries_actor_type_idx ON audit_entries (tenant_id, actor_type, created_at, id);
      CREATE INDEX audit_entries_target_idx ON audit_entries (tenant_id, target_id, created_at, id);
      CREATE INDEX audit_entries_target_type_idx ON audit_entries (tenant_id, target_type, created_at, id);
      CREATE INDEX audit_entries_action_idx ON audit_entries (tenant_id, action, created_at, id);

      CREATE TABLE audit_heads (tenant_id text PRIMARY KEY, sequence bigint NOT NULL, hash bytea NOT NULL);
      CREATE TABLE audit_chain (
        tenant_id text NOT NULL,
        sequence bigint NOT NULL,
        entry_id text NOT NULL,
        entry_created_at timestamptz NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (tenant_id, sequence)
      );

      -- Of the whole entry, whatever the settings of the session: jsonb sorts its keys, and the time is written out in UTC.
      CREATE FUNCTION audit_hash(previous bytea, entry audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
        SELECT sha256(previous || convert_to(
          (to_jsonb(entry) || jsonb_build_object('created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')))::text,
          'UTF8'))
      $$;

      -- Runs at commit, so the entries of a tenant are chained in the order of their commits, and nobody waits for a head for longer.
      CREATE FUNCTION audit_link() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        head audit_heads;
      BEGIN
        INSERT INTO audit_heads VALUES (NEW.tenant_id, 0, ''::bytea) ON CONFLICT DO NOTHING;
        SELECT * INTO head FROM audit_heads WHERE tenant_id = NEW.tenant_id FOR UPDATE;
        head.hash := audit_hash(head.hash, NEW);
        UPDATE audit_heads SET sequence = head.sequence + 1, hash = head.hash WHERE tenant_id = NEW.tenant_id;
        INSERT INTO audit_chain VALUES (NEW.tenant_id, head.sequence + 1, NEW.id, NEW.created_at, head.hash);
        RETURN NULL;
      END
      $$;

      CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The audit log takes inserts only.' USING ERRCODE = 'insufficient_privilege';
      END
      $$;
      CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_refuse();
      CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE ON audit_chain FOR EACH ROW EXECUTE FUNCTION audit_refuse();
      CREATE TRIGGER audit_entries_keep BEFORE TRUNCATE ON audit_entries EXECUTE FUNCTION audit_refuse();
      CREATE TRIGGER audit_chain_keep BEFORE TRUNCATE ON audit_chain EXECUTE FUNCTION audit_refuse();
      CREATE TRIGGER audit_heads_keep BEFORE DELETE OR TRUNCATE ON audit_heads EXECUTE FUNCTION audit_refuse();

      -- A partition for each of the next months, with the triggers that a partition does not inherit. What they do not cover goes to the default.
      CREATE FUNCTION audit_create_partitions(months integer) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        first date := date_trunc('month', now() AT TIME ZONE 'UTC');
        partition text;
      BEGIN
        FOR at IN 0..months - 1 LOOP
          partition := to_char(first + make_interval(months => at), '"audit_entries_"YYYY_MM');
          CONTINUE WHEN to_regclass(partition) IS NOT NULL;
          EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)', partition,
            (first + make_interval(months => at))::timestamp AT TIME ZONE 'UTC', (first + make_interval(months => at + 1))::timestamp AT TIME ZONE 'UTC');
          PERFORM audit_guard_partition(partition);
        END LOOP;
      END
      $$;
      CREATE FUNCTION audit_guard_partition(partition text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE format('CREATE CONSTRAINT TRIGGER audit_link AFTER INSERT ON %I DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_link()', partition);
        EXECUTE format('CREATE TRIGGER audit_keep BEFORE TRUNCATE ON %I EXECUTE FUNCTION audit_refuse()', partition);
      END
      $$;
      CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;
      SELECT audit_guard_partition('audit_entries_default');
      SELECT audit_create_partitions(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_entries, audit_chain, audit_heads CASCADE;
      DROP FUNCTION audit_create_partitions(integer), audit_guard_partition(text), audit_link(), audit_refuse();
    `);
  }
}
