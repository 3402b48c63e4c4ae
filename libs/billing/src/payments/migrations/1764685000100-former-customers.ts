import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers that the provider has no more. A new table only, so it is safe on a live platform. */
export class FormerCustomers1764685000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE former_billing_customers (
        provider_customer_id text CONSTRAINT former_billing_customers_pkey PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT former_billing_customers_user_fkey REFERENCES users,
        tenant_id text NOT NULL CONSTRAINT former_billing_customers_tenant_fkey REFERENCES tenants,
        is_live boolean NOT NULL,
        gone_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX former_billing_customers_user_idx ON former_billing_customers (user_id, is_live);
      CREATE INDEX former_billing_customers_tenant_idx ON former_billing_customers (tenant_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE former_billing_customers');
  }
}
