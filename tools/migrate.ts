import 'reflect-metadata';
import { ConfigError, isUnreachable, parseConfig } from '@platform/platform';
import { migrateQueues } from '@platform/messaging';
import { migrate, OldDatabaseError } from '@platform/persistence';
import { pathToFileURL } from 'node:url';
import { protectAudit } from '../apps/auth-gateway/src/organisation/audit/protect-audit.js';
import { database as gateway } from '../apps/auth-gateway/src/database.js';
import { AdministratorRefused, seed } from '../apps/auth-gateway/src/seed.js';
import { database as extensionHost } from '../apps/ext-webhook-host/src/database.js';
import { database as panel } from '../apps/panel/src/database.js';
import { database as registry } from '../apps/registry/src/database.js';
import { MIGRATE_VARIABLES } from './operator-variables.js';

const POOL_SIZE = 3;

/**
 * Migrates every schema and inserts the data that a platform needs to start. With ADMIN_EMAIL and
 * ADMIN_PASSWORD it also creates the administrator; the normal password rules apply. Safe to run at
 * every start and from several processes at once.
 */
export async function migrateAndSeed(env: NodeJS.ProcessEnv): Promise<void> {
  const { DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD, PASSWORD_MIN_LENGTH, SECRET_KEYS } = parseConfig(
    MIGRATE_VARIABLES,
    env,
  );
  if (Boolean(ADMIN_EMAIL) !== Boolean(ADMIN_PASSWORD)) {
    throw new ConfigError(
      `${ADMIN_EMAIL ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL'} is missing: set both ADMIN_EMAIL and ADMIN_PASSWORD, or neither.`,
    );
  }
  // Without it, `audit:verify` would report the entry about the administrator for ever.
  if (ADMIN_EMAIL && !SECRET_KEYS) {
    throw new ConfigError(
      'SECRET_KEYS is missing: it signs the audit entries about the administrator. Set the same value as for the gateway.',
    );
  }
  const administrator =
    ADMIN_EMAIL && ADMIN_PASSWORD
      ? { email: ADMIN_EMAIL, password: ADMIN_PASSWORD, passwordMinLength: PASSWORD_MIN_LENGTH }
      : undefined;
  await migrate(gateway(DATABASE_URL, POOL_SIZE), async (dataSource) => {
    await seed(dataSource, administrator, SECRET_KEYS ?? null);
    const { isProtected, reason = '' } = await protectAudit(dataSource);
    if (!isProtected)
      console.warn(
        `The audit log is not protected by a role of its own (${reason}); see docs/organisation.md, "The audit log".`,
      );
  });
  await migrateQueues(DATABASE_URL, gateway(DATABASE_URL, POOL_SIZE).schema);
  await migrate(registry(DATABASE_URL, POOL_SIZE));
  await migrate(extensionHost(DATABASE_URL, POOL_SIZE));
  await migrateQueues(DATABASE_URL, extensionHost(DATABASE_URL, POOL_SIZE).schema);
  await migrate(panel(DATABASE_URL, POOL_SIZE));
}

const HELP = `Usage: npm run migrate

Migrates every schema and inserts the data that a platform needs to start; safe to repeat. Reads
  DATABASE_URL                  the database; its role must be allowed to create schemas, and creates the role platform_audit if it can
  SECRET_KEYS                   the keys of the gateway, to sign the audit entries about the administrator with a MAC; required with ADMIN_EMAIL
  ADMIN_EMAIL, ADMIN_PASSWORD   the administrator to create; set both or neither
  PASSWORD_MIN_LENGTH           the same value as for the gateway; ADMIN_PASSWORD has to follow it

See docs/configuration.md, "Migrations".`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [parameter] = process.argv.slice(2);
  if (parameter !== undefined) {
    const isHelp = parameter === '--help';
    if (!isHelp) console.error(`migrate does not take "${parameter}"`);
    console.log(HELP);
    process.exit(isHelp ? 0 : 1);
  }
  try {
    // Uses only the given variables, without development defaults: they could create an
    // administrator with a known password in a real database.
    await migrateAndSeed(process.env);
    console.log('The database is up to date.');
  } catch (error) {
    const isForPeople = [ConfigError, AdministratorRefused, OldDatabaseError].some((type) => error instanceof type);
    const { message } = error as Error;
    if (isForPeople) console.error(message);
    else if (isUnreachable(error))
      console.error(`${message || 'The database cannot be reached'}. Start PostgreSQL, or correct DATABASE_URL.`);
    else console.error(error);
    process.exit(1);
  }
}
