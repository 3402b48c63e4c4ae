import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit log moves to a schema of its own, so that a role of its own can own it (`audit/protect-audit.ts`), entries carry a MAC of the
 * gateway, and seals of the gateway cover the chain. What links entries and makes partitions runs as the owner from now on: who writes
 * entries needs INSERT on them and nothing else.
 *
 * Safe on a live table: no row is rewritten, and each lock is held for a moment. Views and a function stay where the tables were, for code
 * of the version before; the next release drops them, and nothing of this version uses them. Its entries carry no MAC; these are accepted for
 * an hour (`keyed_from`).
 */
export class KeyedAudit1764405000100 implements MigrationInterface {
  name = 'KeyedAudit1764405000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA gateway_audit;

      DO $$
      DECLARE
        partition regclass;
      BEGIN
        FOR partition IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'audit_entries'::regclass LOOP
          EXECUTE format('ALTER TABLE %s SET SCHEMA gateway_audit', partition);
        END LOOP;
      END
      $$;
      ALTER TABLE audit_entries SET SCHEMA gateway_audit;
      ALTER TABLE audit_chain SET SCHEMA gateway_audit;
      ALTER TABLE audit_heads SET SCHEMA gateway_audit;
      ALTER FUNCTION audit_hash(bytea, gateway_audit.audit_entries) SET SCHEMA gateway_audit;
      ALTER FUNCTION audit_link() SET SCHEMA gateway_audit;
      ALTER FUNCTION audit_refuse() SET SCHEMA gateway_audit;
      ALTER FUNCTION audit_create_partitions(integer) SET SCHEMA gateway_audit;
      ALTER FUNCTION audit_guard_partition(text) SET SCHEMA gateway_audit;

      ALTER TABLE gateway_audit.audit_entries ADD COLUMN key_id text, ADD COLUMN mac text;

      -- An entry without MAC has the hash that it had before there were any.
      CREATE OR REPLACE FUNCTION gateway_audit.audit_hash(previous bytea, entry gateway_audit.audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
        SELECT sha256(previous || convert_to(
          ((CASE WHEN entry.mac IS NULL AND entry.key_id IS NULL THEN to_jsonb(entry) - 'mac' - 'key_id' ELSE to_jsonb(entry) END)
            || jsonb_build_object('created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')))::text,
          'UTF8'))
      $$;

      -- As its owner, since nobody else writes the chain and its heads.
      CREATE OR REPLACE FUNCTION gateway_audit.audit_link() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = gateway_audit, pg_temp AS $$
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
      ALTER FUNCTION gateway_audit.audit_create_partitions(integer) SECURITY DEFINER;
      ALTER FUNCTION gateway_audit.audit_create_partitions(integer) SET search_path = gateway_audit, pg_temp;
      ALTER FUNCTION gateway_audit.audit_guard_partition(text) SET search_path = gateway_audit, pg_temp;

      -- Who may run these could put links into the chain that no entry belongs to, by a trigger on a table of their own.
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gateway_audit FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION gateway_audit.audit_hash(bytea, gateway_audit.audit_entries) TO PUBLIC;

      -- What the gateway said of a chain, under a key that the database does not have: audit/audit-seal.ts.
      CREATE TABLE gateway_audit.audit_seals (
        tenant_id text NOT NULL,
        number bigint NOT NULL,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        sealed_at timestamptz NOT NULL,
        previous text NOT NULL,
        unkeyed_until bigint NOT NULL,
        rejected bigint NOT NULL,
        is_partial boolean NOT NULL,
        key_id text NOT NULL,
        mac text NOT NULL,
        PRIMARY KEY (tenant_id, number)
      );
      -- Each follows the one before it and says what the chain says, so that nobody blocks or outruns the gateway with made-up ones.
      CREATE FUNCTION gateway_audit.audit_check_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = gateway_audit, pg_temp AS $$
      DECLARE
        last audit_seals;
      BEGIN
        SELECT * INTO last FROM audit_seals WHERE tenant_id = NEW.tenant_id ORDER BY number DESC LIMIT 1;
        IF NEW.number <> coalesce(last.number, 0) + 1 OR NEW.sequence < coalesce(last.sequence, 0)
          OR NOT EXISTS (SELECT FROM audit_chain WHERE tenant_id = NEW.tenant_id AND sequence = NEW.sequence AND hash = NEW.hash) THEN
          RETURN NULL;
        END IF;
        RETURN NEW;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION gateway_audit.audit_check_seal() FROM PUBLIC;
      CREATE TRIGGER audit_seals_check BEFORE INSERT ON gateway_audit.audit_seals FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_check_seal();
      CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON gateway_audit.audit_seals FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_refuse();
      CREATE TRIGGER audit_seals_keep BEFORE TRUNCATE ON gateway_audit.audit_seals EXECUTE FUNCTION gateway_audit.audit_refuse();

      CREATE TABLE gateway_audit.audit_settings (keyed_from timestamptz NOT NULL);
      CREATE UNIQUE INDEX audit_settings_one_row ON gateway_audit.audit_settings ((true));
      INSERT INTO gateway_audit.audit_settings VALUES (now() + interval '1 hour');
      CREATE TRIGGER audit_settings_keep BEFORE UPDATE OR DELETE ON gateway_audit.audit_settings FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_refuse();

      -- For code of the version before.
      CREATE VIEW audit_entries AS SELECT * FROM gateway_audit.audit_entries;
      CREATE VIEW audit_chain AS SELECT * FROM gateway_audit.audit_chain;
      CREATE VIEW audit_heads AS SELECT * FROM gateway_audit.audit_heads;
      CREATE FUNCTION audit_create_partitions(months integer) RETURNS void LANGUAGE sql AS 'SELECT gateway_audit.audit_create_partitions(months)';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The audit log does not go back to where it could be rewritten.'));
  }
}
