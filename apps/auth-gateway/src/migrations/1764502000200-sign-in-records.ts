import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-ins and failed ones on their way into the audit log: written without the lock of the chain of their tenant, and appended by a job, many
 * at once. Creates tables only, so it is safe beside running code.
 */
export class SignInRecords1764502000200 implements MigrationInterface {
  name = 'SignInRecords1764502000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_records (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sign_in_records_pkey PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT sign_in_records_tenant_fkey REFERENCES tenants,
        user_id text,
        outcome text NOT NULL CONSTRAINT sign_in_records_outcome_check CHECK (outcome IN ('signed_in', 'failed')),
        how text NOT NULL,
        session_id text,
        surface text,
        failures integer,
        blocked_seconds integer,
        ip_address text,
        user_agent text,
        request_id text,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT sign_in_records_whose_check CHECK (outcome = 'failed' OR (user_id IS NOT NULL AND session_id IS NOT NULL))
      );
      CREATE INDEX sign_in_records_tenant_idx ON sign_in_records (tenant_id, id);

      CREATE TABLE sign_in_tallies (
        tenant_id text NOT NULL CONSTRAINT sign_in_tallies_tenant_fkey REFERENCES tenants,
        kind text NOT NULL CONSTRAINT sign_in_tallies_kind_check CHECK (kind IN ('unknown_account', 'more_failures', 'more_sign_ins')),
        times bigint NOT NULL,
        since timestamptz NOT NULL,
        written_at timestamptz,
        CONSTRAINT sign_in_tallies_pkey PRIMARY KEY (tenant_id, kind)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_tallies, sign_in_records');
  }
}
