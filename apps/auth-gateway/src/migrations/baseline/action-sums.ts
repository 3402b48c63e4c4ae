import type { SchemaPart } from '@platform/persistence';

/** Sums of actions by day. */
export const actionSumsPart: SchemaPart = {
  tables: `
  CREATE TABLE action_sums_mark (
    id integer DEFAULT 1 CONSTRAINT action_sums_mark_one_check CHECK (id = 1),
    summed_until timestamp(3) with time zone NOT NULL,
    CONSTRAINT action_sums_mark_pkey PRIMARY KEY (id)
  );

  CREATE TABLE user_action_sums (
    tenant_id text,
    user_id text,
    day date,
    app_id text,
    actions bigint NOT NULL,
    tokens_used numeric NOT NULL,
    credits numeric NOT NULL,
    CONSTRAINT user_action_sums_pkey PRIMARY KEY (tenant_id, user_id, day, app_id)
  ) WITH (fillfactor = 70);
  CREATE INDEX user_action_sums_day_idx ON user_action_sums USING brin (day);

  CREATE TABLE app_action_sums (
    app_id text,
    day date,
    function text,
    actions bigint NOT NULL,
    errors bigint NOT NULL,
    timed bigint NOT NULL,
    duration_ms numeric NOT NULL,
    CONSTRAINT app_action_sums_pkey PRIMARY KEY (app_id, day, function)
  ) WITH (fillfactor = 70);
  CREATE INDEX app_action_sums_day_idx ON app_action_sums USING brin (day);

  CREATE TABLE app_action_users (
    app_id text,
    user_id text,
    last_day date NOT NULL,
    CONSTRAINT app_action_users_pkey PRIMARY KEY (app_id, user_id)
  );
  CREATE INDEX app_action_users_app_idx ON app_action_users (app_id, last_day);
  CREATE INDEX app_action_users_user_idx ON app_action_users (user_id);
  CREATE INDEX app_action_users_day_idx ON app_action_users (last_day);`,
  rows: "INSERT INTO action_sums_mark (summed_until) VALUES (date_trunc('milliseconds', now() - interval '1 minute'))",
};
