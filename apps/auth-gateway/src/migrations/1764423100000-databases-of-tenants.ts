import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A tenant was called `dedicated`, on MariaDB, that had no database of its own, and whose data is in the platform's PostgreSQL. Whether a
 * tenant has one now decides what it is called. A trigger says so, since the version before, which may run beside this one, still writes
 * what was asked for. Safe on a live table: there are few tenants, and whoever changes one is waited for before anything else.
 */
export class DatabasesOfTenants1764423100000 implements MigrationInterface {
  name = 'DatabasesOfTenants1764423100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE tenants;
      CREATE FUNCTION name_database_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.isolation := CASE WHEN NEW.sealed_db_config IS NULL THEN 'shared' ELSE 'dedicated' END;
        IF NEW.sealed_db_config IS NULL THEN NEW.db_backend := 'postgresql'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER tenants_name_database BEFORE INSERT OR UPDATE OF isolation, db_backend, sealed_db_config ON tenants
        FOR EACH ROW EXECUTE FUNCTION name_database_of_tenant();
      UPDATE tenants SET isolation = isolation;
      ALTER TABLE tenants ADD CONSTRAINT tenants_dedicated_check CHECK ((isolation = 'dedicated') = (sealed_db_config IS NOT NULL)),
        ADD CONSTRAINT tenants_shared_check CHECK (sealed_db_config IS NOT NULL OR db_backend = 'postgresql')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants DROP CONSTRAINT tenants_dedicated_check, DROP CONSTRAINT tenants_shared_check;
      DROP TRIGGER tenants_name_database ON tenants;
      DROP FUNCTION name_database_of_tenant`);
  }
}
