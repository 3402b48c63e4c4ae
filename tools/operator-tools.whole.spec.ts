import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { CommandProcess } from './terminal/command-process.js';

/** A database that cannot be reached: all these refusals must come before any query. */
const env = {
  DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

async function run(tool: string, ...parameters: string[]) {
  const command = CommandProcess.start(parameters, env, `dist/tools/${tool}.js`);
  return { exitCode: await command.exited, stdout: command.stdout, stderr: command.stderr };
}

describe('the tools of operators', () => {
  it.each([
    ['audit', ['verify', 'anchors.jsonl'], 'Unexpected "anchors.jsonl"; did you mean --anchor anchors.jsonl?\n'],
    ['audit', ['anchor', 'foo'], 'Unexpected "foo"; did you mean --anchor foo?\n'],
    [
      'audit',
      ['anchor', '--anchor', 'a', '--anchor', 'b'],
      'The command anchor writes to one file. Give --anchor only once.\n',
    ],
    ['audit', ['verfy'], 'Unknown command "verfy"\n'],
    ['keys', ['resael'], 'Unknown command "resael"\n'],
    ['keys', ['list', '--now'], '"list" does not take "--now"\n'],
    ['billing', ['clock', '-5d'], 'The billing clock cannot move back: "-5d". Use --reset to return to real time.\n'],
    ['billing', ['clock', '5d'], '"5d" is not a valid time. Write +32d, +12h or +30m.\n'],
    ['billing', ['forget'], 'Unknown command "forget"\n'],
    ['migrate', ['up'], 'migrate does not take "up"\n'],
  ])('%s %j is refused', async (tool, parameters, stderr) => {
    expect(await run(tool, ...parameters)).toMatchObject({ exitCode: 1, stderr });
  });

  it.each([
    [
      { ADMIN_EMAIL: 'admin@example.com' },
      'ADMIN_PASSWORD is missing: set both ADMIN_EMAIL and ADMIN_PASSWORD, or neither.\n',
    ],
    [
      { ADMIN_PASSWORD: 'correct horse battery' },
      'ADMIN_EMAIL is missing: set both ADMIN_EMAIL and ADMIN_PASSWORD, or neither.\n',
    ],
    [
      { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery', SECRET_KEYS: '' },
      'SECRET_KEYS is missing: it signs the audit entries about the administrator. Set the same value as for the gateway.\n',
    ],
    [
      { DATABASE_URL: '' },
      'DATABASE_URL is required: the PostgreSQL to migrate, as postgres://user:password@host:port/database\n',
    ],
    [{}, 'connect ECONNREFUSED 127.0.0.1:1. Start PostgreSQL, or correct DATABASE_URL.\n'],
  ])('migrate says in a sentence what is missing: %j', async (changes, stderr) => {
    const command = CommandProcess.start([], { ...env, ...changes }, 'dist/tools/migrate.js');
    expect([await command.exited, command.stderr]).toEqual([1, stderr]);
  });

  describe('billing:verify, on a database of its own', () => {
    let database: TestDatabase;
    let client: Client;
    beforeAll(async () => {
      database = await createTestDatabase();
      client = new Client({ connectionString: database.url, options: '-c search_path=gateway' });
      await client.connect();
      await client.query(
        "INSERT INTO users (id, tenant_id, email, email_canonical) VALUES ('usr_1', 'default', 'a@b.example', 'a@b.example')",
      );
      await client.query("INSERT INTO wallets (tenant_id, user_id, kind) VALUES ('default', 'usr_1', 'user')");
      await client.query(`SELECT ledger_credit(id, '[{"key": "given", "amount": 5, "kind": "admin_adjustment", "counter": "adjust",
        "source": "adjustment", "priority": 30, "earns": false}]') FROM wallets`);
      await client.query('UPDATE wallets SET debt = 7');
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    async function verify(...parameters: string[]) {
      const command = CommandProcess.start(
        ['verify', ...parameters],
        { ...env, DATABASE_URL: database.url },
        'dist/tools/billing.js',
      );
      const exitCode = await command.exited;
      const { rowCount: seals } = await client.query('SELECT FROM wallet_seals');
      return { exitCode, stdout: command.stdout, stderr: command.stderr, seals };
    }

    it('seals nothing while something does not add up, unless it is told to', async () => {
      const refused = await verify('--seal');
      expect(refused).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(/^1 wallet with 1 entry checked; 1 problem$/m),
        seals: 0,
      });
      expect(refused.stderr).toContain('its debt is 7');
      expect(refused.stderr).toContain('Nothing was sealed, because there are problems. Use --force to seal anyway.');
      expect(await verify('--seal', '--force')).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('Root 1 seals 1 entry:'),
        seals: 1,
      });
      await client.query('UPDATE wallets SET debt = 0');
      expect(await verify('--seal')).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('Nothing to seal: all entries are sealed.'),
      });
    });

    it('says what it has taken of test payments', async () => {
      const command = CommandProcess.start(
        ['forget-test-credits'],
        { ...env, DATABASE_URL: database.url },
        'dist/tools/billing.js',
      );
      expect(await command.exited).toBe(0);
      expect(command.stdout).toBe('0 test payments forgotten; 0 credits removed from wallets, 0 from earnings\n');
    });

    it('says of a clock that is set back what stays', async () => {
      const command = CommandProcess.start(
        ['clock', '--reset'],
        { ...env, DATABASE_URL: database.url },
        'dist/tools/billing.js',
      );
      expect(await command.exited).toBe(0);
      expect(command.stdout).toBe(
        'Renewals, tiers and ledger entries stay as they are. Delete `.data/` to start over.\nThe billing clock shows real time.\n',
      );
    });
  });

  describe('migrate, on a database of its own', () => {
    let database: TestDatabase;
    let folder: string;
    beforeAll(async () => {
      database = await createTestDatabase();
      folder = mkdtempSync(join(tmpdir(), 'platform-migrate-'));
      mkdirSync(join(folder, '.data'));
      writeFileSync(
        join(folder, '.data', 'dev.env'),
        'ADMIN_EMAIL=dev@example.com\nADMIN_PASSWORD=correct horse battery\n',
      );
    });
    afterAll(async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function migrate(changes: NodeJS.ProcessEnv = {}) {
      const command = CommandProcess.start(
        [],
        { DATABASE_URL: database.url, SECRET_KEYS: env.SECRET_KEYS, ...changes },
        'dist/tools/migrate.js',
        folder,
      );
      return { exitCode: await command.exited, stderr: command.stderr };
    }
    async function administrators(): Promise<string[]> {
      const client = new Client(database.url);
      await client.connect();
      try {
        const { rows } = await client.query<{ email: string }>(
          "SELECT email FROM gateway.users WHERE role = 'admin' ORDER BY email",
        );
        return rows.map(({ email }) => email);
      } finally {
        await client.end();
      }
    }

    it('makes no administrator of the files of a development folder, and writes none', async () => {
      expect(await migrate()).toMatchObject({ exitCode: 0 });
      expect(await administrators()).toEqual([]);
      expect(readdirSync(join(folder, '.data'))).toEqual(['dev.env']);
    });

    it('makes the one that it is told, by the rules for passwords', async () => {
      const admin = { ADMIN_EMAIL: 'root@example.com' };
      expect(await migrate({ ...admin, ADMIN_PASSWORD: 'short' })).toEqual({
        exitCode: 1,
        stderr: "The administrator's password is refused: String should have at least 8 characters.\n",
      });
      expect(await migrate({ ...admin, ADMIN_PASSWORD: 'password' })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('too common'),
      });
      const longer = { PASSWORD_MIN_LENGTH: '12', ADMIN_PASSWORD: 'battery-kx' };
      expect(await migrate({ ...admin, ...longer })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('at least 12'),
      });
      expect(await administrators()).toEqual([]);
      expect(await migrate({ ...admin, ADMIN_PASSWORD: 'correct horse battery' })).toMatchObject({ exitCode: 0 });
      expect(await administrators()).toEqual(['root@example.com']);
      // Existing users stay unchanged.
      expect(await migrate({ ...admin, ADMIN_PASSWORD: 'short' })).toMatchObject({ exitCode: 0 });
    }, 120_000);
  });

  it.each(['audit', 'keys', 'migrate'])('%s explains itself', async (tool) => {
    expect(await run(tool, '--help')).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm run /),
    });
  });
});
