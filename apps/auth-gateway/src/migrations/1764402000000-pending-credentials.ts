import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A signup used to write its password into an account that nobody had confirmed, so of several signups with one address the latest
 * decided which password the owner's click made good. Now each is a pending credential with a link of its own, and an account comes into
 * being when one of them is confirmed.
 *
 * Links of before are voided, since nobody knows any more whose password they would make good: who has not confirmed signs up again. The
 * trigger keeps processes of before from confirming an address and keeping the password. Creates a table and a trigger and deletes a few
 * rows, so it is safe on a live table; a process of before answers the confirmation of an address with 500 until it is replaced.
 */
export class PendingCredentials1764402000000 implements MigrationInterface {
  name = 'PendingCredentials1764402000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pending_credentials (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT pending_credentials_tenant_fkey REFERENCES tenants,
        email text NOT NULL CONSTRAINT pending_credentials_email_check CHECK (email = lower(email)),
        password_hash text NOT NULL,
        first_name text,
        last_name text,
        ip_address text,
        user_agent text,
        mail_id text,
        token_hash bytea CONSTRAINT pending_credentials_token_key UNIQUE,
        link_expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pending_credentials_mail_check CHECK (num_nonnulls(mail_id, token_hash, link_expires_at) IN (0, 3))
      );
      CREATE INDEX pending_credentials_email_idx ON pending_credentials (tenant_id, email, created_at);
      CREATE INDEX pending_credentials_created_idx ON pending_credentials (created_at);
      DELETE FROM mail_tokens WHERE purpose = 'verify_email';
      CREATE FUNCTION users_refuse_unproven_password() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'an address is confirmed together with a new password' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_unproven_password';
      END $$;
      CREATE TRIGGER users_unproven_password BEFORE UPDATE OF email_verified_at ON users FOR EACH ROW
        WHEN (OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL AND NEW.password_hash IS NOT DISTINCT FROM OLD.password_hash
              AND NEW.password_hash IS NOT NULL)
        EXECUTE FUNCTION users_refuse_unproven_password();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER users_unproven_password ON users;
      DROP FUNCTION users_refuse_unproven_password;
      DROP TABLE pending_credentials;
    `);
  }
}
