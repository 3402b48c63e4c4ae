import 'reflect-metadata';
import { ConfigError, developmentEnvironment, keyring, parseConfig } from '@platform/platform';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { str } from 'envalid';
import { database } from '../apps/auth-gateway/src/database.js';
import { SigningKeys } from '../apps/auth-gateway/src/tokens/signing-keys.js';

const HELP = `Usage: npm run keys -- <command>

  list            the signing keys and their states
  rotate          sign with the next key; tokens of the current one stay good until they expire
  rotate --now    for a compromise: replace every key; all access tokens are refused within 5 s,
                  and clients get new ones with their refresh tokens

Reads DATABASE_URL and SECRET_KEYS, or what \`npm start\` uses.`;

async function run(command: string | undefined, now: boolean): Promise<void> {
  const specification = {
    DATABASE_URL: str({ desc: 'start the platform first, or name its database' }),
    SECRET_KEYS: keyring({ desc: 'the secret keys of the gateway' }),
  };
  const { DATABASE_URL, SECRET_KEYS } = parseConfig(specification, {
    DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '',
    ...developmentEnvironment(),
  });
  const dataSource = createDataSource(database(DATABASE_URL, 2));
  await dataSource.initialize();
  try {
    const keys = new SigningKeys(dataSource, SECRET_KEYS);
    if (command === 'rotate') {
      const kid = now ? await keys.replaceAll() : await keys.rotate();
      console.log(`Now signing with ${kid}. Running gateways follow within 5 s.`);
    }
    console.table(await dataSource.query('SELECT kid, state, created_at, activated_at, retired_at FROM signing_keys ORDER BY created_at'));
  } finally {
    await dataSource.destroy();
  }
}

const [command, ...flags] = process.argv.slice(2);
if (!['list', 'rotate'].includes(command ?? '') || flags.some((flag) => flag !== '--now')) {
  console.log(HELP);
  process.exit(command === '--help' ? 0 : 1);
}
try {
  await run(command, flags.includes('--now'));
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error);
  process.exit(1);
}
