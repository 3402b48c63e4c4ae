import 'reflect-metadata';
import { ConfigError, developmentEnvironment, parseConfig } from '@platform/platform';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { database } from '../apps/auth-gateway/src/database.js';
import { resealAll, type ResealReport } from '../apps/auth-gateway/src/maintenance/reseal.js';
import { SigningKeysService } from '../apps/auth-gateway/src/identity/tokens/signing-keys.service.js';
import { DATABASE_VARIABLES, KEY_VARIABLES } from './operator-variables.js';

const HELP = `Usage: npm run keys -- <command>

  list            the signing keys and their states
  rotate          sign with the next key; tokens of the current key stay valid until they expire
  rotate --now    after a leak of a key: replace every key; all access tokens are refused within 5 s,
                  and clients get new ones with their refresh tokens
  reseal          encrypt values that use an older key with the first of SECRET_KEYS: signing keys and settings of
                  tenants' databases. Prints the number of values per key; exit code 1 if a value cannot be decrypted

Reads DATABASE_URL and SECRET_KEYS; by default uses the platform that \`npm start\` runs.`;

/** Runs the command. Returns true if it succeeded. */
async function run(command: string | undefined, now: boolean): Promise<boolean> {
  const { DATABASE_URL, SECRET_KEYS } = parseConfig(
    { ...DATABASE_VARIABLES, ...KEY_VARIABLES },
    { DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '', ...developmentEnvironment() },
  );
  const dataSource = createDataSource(database(DATABASE_URL, 2));
  await dataSource.initialize();
  try {
    if (command === 'reseal') return print(await resealAll(dataSource, SECRET_KEYS));
    const keys = new SigningKeysService(dataSource, SECRET_KEYS, console);
    if (command === 'rotate') {
      const kid = now ? await keys.replaceAllKeys() : await keys.rotateKeys();
      console.log(`Now signing with ${kid}. Running gateways follow within 5 s.`);
    }
    console.table(
      await dataSource.query(
        'SELECT kid, state, created_at, activated_at, retired_at FROM signing_keys ORDER BY created_at',
      ),
    );
    return true;
  } finally {
    await dataSource.destroy();
  }
}

function print(reports: readonly ResealReport[]): boolean {
  for (const { what, resealed, sealedBy, failed } of reports) {
    const counts = [...sealedBy].map(([keyId, count]) => `${count} by ${keyId}`);
    console.log(
      `${what}: ${counts.join(', ') || 'none'}; ${resealed} sealed again just now, ${failed.length} cannot be opened`,
    );
    for (const { id, reason } of failed) console.error(`  ${id}: ${reason}`);
  }
  return reports.every(({ failed }) => !failed.length);
}

function refusalOf(command: string, [flag = '']: string[]): string {
  return COMMANDS.includes(command) ? `"${command}" does not take "${flag}"` : `Unknown command "${command}"`;
}

const COMMANDS = ['list', 'rotate', 'reseal'];
const [command, ...flags] = process.argv.slice(2);
if (!COMMANDS.includes(command ?? '') || flags.some((flag) => flag !== '--now' || command !== 'rotate')) {
  if (command !== undefined && command !== '--help') console.error(refusalOf(command, flags));
  console.log(HELP);
  process.exit(command === '--help' ? 0 : 1);
}
try {
  if (!(await run(command, flags.includes('--now')))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error);
  process.exit(1);
}
