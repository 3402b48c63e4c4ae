import type { SchemaPart } from '@platform/persistence';

/**
 * The audit log, in a schema of its own, so that a role of its own can own it (`protectAudit`). Its
 * monthly partitions take inserts only. A hash chain for each tenant links the entries at commit.
 * Entries have a MAC of the gateway, and seals of the gateway cover the chain.
 */
export const auditPart: SchemaPart = {
  tables: `
  CREATE SCHEMA gateway_audit;

  CREATE TABLE gateway_audit.audit_entries (
    id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id text NOT NULL,
    actor_type text NOT NULL
      CONSTRAINT audit_entries_actor_check CHECK (actor_type IN ('user', 'api_key', 'service', 'system')),
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
    key_id text,
    mac text,
    PRIMARY KEY (id, created_at)
  ) PARTITION BY RANGE (created_at);
  CREATE INDEX audit_entries_tenant_idx ON gateway_audit.audit_entries (tenant_id, created_at, id);
  CREATE INDEX audit_entries_actor_idx ON gateway_audit.audit_entries (tenant_id, actor_id, created_at, id);
  CREATE INDEX audit_entries_actor_type_idx ON gateway_audit.audit_entries (tenant_id, actor_type, created_at, id);
  CREATE INDEX audit_entries_target_idx ON gateway_audit.audit_entries (tenant_id, target_id, created_at, id);
  CREATE INDEX audit_entries_target_type_idx ON gateway_audit.audit_entries (tenant_id, target_type, created_at, id);
  CREATE INDEX audit_entries_action_idx ON gateway_audit.audit_entries (tenant_id, action, created_at, id);

  CREATE TABLE gateway_audit.audit_heads (tenant_id text PRIMARY KEY, sequence bigint NOT NULL, hash bytea NOT NULL);

  CREATE TABLE gateway_audit.audit_chain (
    tenant_id text NOT NULL,
    sequence bigint NOT NULL,
    entry_id text NOT NULL,
    entry_created_at timestamptz NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (tenant_id, sequence)
  );
  -- An entry is in the chain only once: its MAC covers its id but not its time, so a client that can
  -- insert could otherwise repeat a genuine entry at another time.
  CREATE UNIQUE INDEX audit_chain_entry_key ON gateway_audit.audit_chain (entry_id);

  -- Statements of the gateway about a chain, with a MAC of a key that the database does not have
  -- (audit-seal.ts).
  CREATE TABLE gateway_audit.audit_seals (
    tenant_id text NOT NULL,
    number bigint NOT NULL,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamptz NOT NULL,
    previous text NOT NULL,
    rejected bigint NOT NULL,
    is_partial boolean NOT NULL,
    key_id text NOT NULL,
    mac text NOT NULL,
    PRIMARY KEY (tenant_id, number)
  );`,
  functions: [
    `
  CREATE FUNCTION gateway_audit.audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit log takes inserts only.' USING ERRCODE = 'insufficient_privilege';
  END
  $$`,
    `
  -- Hash of the whole entry. The settings of the session do not change it: jsonb sorts its keys, and
  -- the time is written in UTC.
  CREATE FUNCTION gateway_audit.audit_hash(previous bytea, entry gateway_audit.audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(previous || convert_to(
      (to_jsonb(entry) || jsonb_build_object('created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')))::text,
      'UTF8'))
  $$`,
    `
  -- Runs at commit, so that the entries of a tenant are linked in the order of their commits, and
  -- transactions hold the head only for a moment. Runs as its owner, because nobody else can write
  -- the chain and its heads.
  CREATE FUNCTION gateway_audit.audit_link() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = gateway_audit, pg_temp AS $$
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
  $$`,
    `
  -- A seal follows the one before it and repeats the chain, so that made-up seals cannot block or
  -- overtake the gateway.
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
  $$`,
    `
  -- Creates a partition for each of the next months, with the triggers that a partition does not
  -- inherit. Entries outside these months go to the default partition, and then that month stays
  -- there.
  CREATE FUNCTION gateway_audit.audit_create_partitions(months integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = gateway_audit, pg_temp AS $$
  DECLARE
    first timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    month timestamptz;
    following timestamptz;
    partition text;
  BEGIN
    FOR at IN 0..months - 1 LOOP
      month := (first + make_interval(months => at)) AT TIME ZONE 'UTC';
      following := (first + make_interval(months => at + 1)) AT TIME ZONE 'UTC';
      partition := to_char(first + make_interval(months => at), '"audit_entries_"YYYY_MM');
      CONTINUE WHEN to_regclass(partition) IS NOT NULL
        OR EXISTS (SELECT FROM audit_entries_default WHERE created_at >= month AND created_at < following);
      EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)', partition, month, following);
      PERFORM audit_guard_partition(partition);
    END LOOP;
  END
  $$`,
    `
  CREATE FUNCTION gateway_audit.audit_guard_partition(partition text) RETURNS void LANGUAGE plpgsql SET search_path = gateway_audit, pg_temp AS $$
  BEGIN
    EXECUTE format('CREATE CONSTRAINT TRIGGER audit_link AFTER INSERT ON %I DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_link()', partition);
    EXECUTE format('CREATE TRIGGER audit_keep BEFORE TRUNCATE ON %I EXECUTE FUNCTION audit_refuse()', partition);
  END
  $$`,
    `
  -- A client that can run these functions could add links without entries to the chain, by a trigger
  -- on a table of its own.
  REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gateway_audit FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION gateway_audit.audit_hash(bytea, gateway_audit.audit_entries) TO PUBLIC;`,
  ],
  triggers: `
  CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON gateway_audit.audit_entries
    FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_entries_keep BEFORE TRUNCATE ON gateway_audit.audit_entries
    EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE ON gateway_audit.audit_chain
    FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_chain_keep BEFORE TRUNCATE ON gateway_audit.audit_chain
    EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_heads_keep BEFORE DELETE OR TRUNCATE ON gateway_audit.audit_heads
    EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_seals_check BEFORE INSERT ON gateway_audit.audit_seals
    FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_check_seal();
  CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON gateway_audit.audit_seals
    FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_refuse();
  CREATE TRIGGER audit_seals_keep BEFORE TRUNCATE ON gateway_audit.audit_seals
    EXECUTE FUNCTION gateway_audit.audit_refuse();

  CREATE TABLE gateway_audit.audit_entries_default PARTITION OF gateway_audit.audit_entries DEFAULT;
  SELECT gateway_audit.audit_guard_partition('audit_entries_default');
  SELECT gateway_audit.audit_create_partitions(3);`,
};
