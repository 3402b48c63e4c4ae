import type { SchemaPart } from '@platform/persistence';

/** Rules of users, and their firings. */
export const automationsPart: SchemaPart = {
  tables: `
  CREATE TABLE automation_rules (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT automation_rules_user_fkey REFERENCES users ON DELETE CASCADE,
    tenant_id text NOT NULL,
    prompt text NOT NULL,
    interpretation text NOT NULL,
    status text NOT NULL DEFAULT 'active'
      CONSTRAINT automation_rules_status_check CHECK (status IN ('active', 'paused', 'error')),
    event_type text NOT NULL,
    schedule text,
    next_at timestamptz,
    actions jsonb NOT NULL
      CONSTRAINT automation_rules_actions_check CHECK (jsonb_typeof(actions) = 'array' AND actions <> '[]'),
    scopes text[] NOT NULL,
    cooldown_seconds integer NOT NULL,
    max_per_hour integer NOT NULL,
    max_iterations integer NOT NULL,
    notify_mode text NOT NULL
      CONSTRAINT automation_rules_notify_mode_check CHECK (notify_mode IN ('all', 'failures', 'off')),
    trigger_count integer NOT NULL DEFAULT 0,
    success_count integer NOT NULL DEFAULT 0,
    fail_count integer NOT NULL DEFAULT 0,
    failures_in_row integer NOT NULL DEFAULT 0,
    last_error text,
    last_triggered timestamptz,
    recent_triggers timestamptz[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    api_key_id text,
    key_scopes text[],
    made_by_app text,
    other_key_ids text[],
    other_apps text[],
    CONSTRAINT automation_rules_schedule_check CHECK ((event_type = 'system.scheduled') = (schedule IS NOT NULL)),
    CONSTRAINT automation_rules_due_check CHECK ((schedule IS NOT NULL AND status = 'active') = (next_at IS NOT
      NULL)),
    CONSTRAINT automation_rules_limits_check CHECK (cooldown_seconds >= 0 AND max_per_hour BETWEEN 1 AND 1000 AND
      max_iterations >= 0),
    CONSTRAINT automation_rules_iterations_check CHECK (max_iterations = 0 OR trigger_count < max_iterations OR
      status <> 'active'),
    CONSTRAINT automation_rules_counts_check CHECK (least(trigger_count, success_count, fail_count, failures_in_row)
      >= 0)
  );
  CREATE INDEX automation_rules_due_idx ON automation_rules (next_at) WHERE status = 'active';
  CREATE INDEX automation_rules_event_idx ON automation_rules (user_id, event_type, id);
  CREATE INDEX automation_rules_owner_idx ON automation_rules (tenant_id, user_id, id);

  CREATE TABLE automation_fires (
    id text PRIMARY KEY,
    rule_id integer NOT NULL CONSTRAINT automation_fires_rule_fkey REFERENCES automation_rules ON DELETE CASCADE,
    cause text NOT NULL,
    event jsonb,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT automation_fires_status_check CHECK (status IN ('pending', 'success', 'failed', 'limited')),
    actions_done integer NOT NULL DEFAULT 0,
    error text,
    fired_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    scopes text[],
    key jsonb,
    apps text[],
    CONSTRAINT automation_fires_finished_check CHECK ((status = 'pending') = (finished_at IS NULL)),
    CONSTRAINT automation_fires_event_check CHECK ((status = 'pending') = (event IS NOT NULL)),
    CONSTRAINT automation_fires_error_check CHECK ((status IN ('failed', 'limited')) = (error IS NOT NULL))
  );
  CREATE UNIQUE INDEX automation_fires_cause_key ON automation_fires (rule_id, cause);
  CREATE INDEX automation_fires_rule_idx ON automation_fires (rule_id, fired_at DESC, id DESC);
  -- For the deletion of old firings: rows are stored in the order of their time.
  CREATE INDEX automation_fires_fired_idx ON automation_fires USING brin (fired_at);
  CREATE INDEX automation_fires_pending_idx ON automation_fires (rule_id) WHERE status = 'pending';`,
};
