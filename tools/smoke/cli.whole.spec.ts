import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '@platform/testing';
import { Relay } from './relay.js';
import { freePorts } from './service-process.js';
import type { Computer } from '../terminal/computer.js';
import { GatewayWithPeople, type Person } from './people-and-computers.js';

const sessionOf = ({ credentials }: Computer): string => {
  const [, payload = ''] = credentials.access_token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
};
const mode = (path: string) => statSync(path).mode & 0o777;

/** The built command with the built gateway. */
describe('the command platform', () => {
  let platform: GatewayWithPeople;
  let relay: Relay;
  let ada: Person;
  /**
   * Computers with Ada signed in; the second list connects through the relay. Each test takes its
   * own.
   */
  let computers: Computer[];
  let relayedComputers: Computer[];
  const computer = (): Computer => computers.pop() as Computer;
  const relayedComputer = (): Computer => relayedComputers.pop() as Computer;

  const session = async (id: string) => {
    const [row] = await platform.query<{ refresh_counter: number; revoked_reason: string | null; label: string }>(
      'SELECT refresh_counter, revoked_reason, label FROM gateway.sessions WHERE id = $1',
      [id],
    );
    return row;
  };

  beforeAll(async () => {
    platform = await GatewayWithPeople.start();
    relay = await Relay.start(platform.url);
    ada = await platform.signUp('ada@example.com');
    [computers, relayedComputers] = await Promise.all([ada.signedInComputers(5), ada.signedInComputers(4, relay.url)]);
  }, 90_000);

  beforeEach(() => {
    relay.isBroken = false;
    relay.beforeAnswer = () => undefined;
  });

  afterAll(async () => {
    await relay.stop();
    await platform.stop();
  });

  describe('login', () => {
    it('shows a code and an address, waits for the person, and keeps the tokens for its owner alone', async () => {
      const mine = platform.newComputer();
      const login = mine.start('login --label laptop');
      await expect(login.printed(/http:.*device\?code=[A-Z-]+/)).resolves.toMatch(
        /^http:\/\/panel\.example\.com\/device\?code=/,
      );
      await ada.decide(login, 'approve');
      await expect(login.exited).resolves.toBe(0);
      expect(login.stdout).toContain(`You are signed in to ${platform.url} as ${ada.email}.`);
      expect(login.stderr).toContain('Waiting for your confirmation; the code is valid for 10:00 minutes.');
      expect([mode(mine.folder), ...mine.files.map(mode)]).toEqual([0o700, 0o600]);
      await expect(session(sessionOf(mine))).resolves.toMatchObject({ label: 'laptop' });
      const { access_token, refresh_token } = mine.credentials;
      for (const secret of [access_token, refresh_token]) expect(login.stdout + login.stderr).not.toContain(secret);
    });

    it('ends when the person declines, and when nobody decides in time', async () => {
      const [declined, expired] = [
        platform.newComputer().start('login'),
        platform.newComputer().start('login --label late'),
      ];
      await ada.decide(declined, 'deny');
      await expired.printed(/[A-Z]{4}-[A-Z]{4}/);
      await platform.query("UPDATE gateway.device_codes SET expires_at = now() WHERE label = 'late'");
      await expect(declined.exited).resolves.toBe(1);
      expect(declined.stderr).toContain('The login was declined.\n');
      await expect(expired.exited).resolves.toBe(1);
      expect(expired.stderr).toContain('The code expired before it was confirmed. Run the command again.\n');
    });

    it('says when the platform cannot be reached', async () => {
      const [port] = await freePorts(1);
      const { exitCode, stderr, stdout } = await platform.newComputer(`http://127.0.0.1:${port}`).run('login');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached \(connect ECONNREFUSED .*PLATFORM_URL\.\n$/);
    });

    it('can be cancelled with Ctrl-C', async () => {
      const login = platform.newComputer().start('login');
      await login.printed(/[A-Z]{4}-[A-Z]{4}/);
      login.kill('SIGINT');
      await expect(login.exited).resolves.toBe(130);
      expect(login.stderr).toMatch(/\nCancelled\.\n$/);
    });

    it('ends the session that it replaces', async () => {
      const mine = computer();
      const former = sessionOf(mine);
      const login = mine.start('login');
      await ada.decide(login, 'approve');
      await expect(login.exited).resolves.toBe(0);
      expect(sessionOf(mine)).not.toBe(former);
      await expect(session(former)).resolves.toMatchObject({ revoked_reason: 'logout' });
    });
  });

  describe('init and validate', () => {
    it('write an app that is good, and nothing over one that is there', async () => {
      const [mine, file] = [platform.newComputer(), join(platform.newFolder(), 'my-notes', 'app.json')];
      const init = await mine.run(`init ${dirname(file)}`);
      expect(init).toMatchObject({ exitCode: 0, stderr: '' });
      expect(init.stdout).toContain('Created the app my-notes in ');
      const text = readFileSync(file, 'utf8');
      const { $schema } = JSON.parse(text) as { $schema: string };
      expect((await fetch($schema)).status).toBe(200);
      await expect(mine.run(`validate ${file}`)).resolves.toMatchObject({
        exitCode: 0,
        stderr: '',
        stdout: `${file} is valid: my-notes 0.1.0.\n`,
      });
      await expect(mine.run(`init ${dirname(file)}`)).resolves.toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: `${file} already exists. Choose another folder.\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    it('tell every issue with its line, for people and for programs, without a network', async () => {
      const [port] = await freePorts(1);
      const mine = platform.newComputer(`http://127.0.0.1:${port}`);
      const file = join(platform.newFolder(), 'app.json');
      writeFileSync(
        file,
        '{\n  "app_id": "my app",\n  "version": "1.0.0",\n  "steps": [{ "id": "a", "kind": "log" }]\n}\n',
      );
      await expect(mine.run(`validate ${file}`)).resolves.toEqual({
        exitCode: 1,
        stdout: `${[
          `${file}:2:13: "my app" must be 1 to 64 letters, digits, "_" and "-", beginning with a letter or digit. (value, /app_id)`,
          `${file}:4:13: "action" is missing. (required, /steps/0)`,
        ].join('\n')}\n`,
        stderr: 'Found 2 issues.\n',
      });
      const { exitCode, stdout } = await mine.run(`validate ${file} --json`);
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([
        1,
        { valid: false, issues: [{ pointer: '/app_id', rule: 'value', line: 2, column: 13 }, {}] },
      ]);
    });
  });

  describe('whoami', () => {
    it('names the person, for people and for programs', async () => {
      const mine = computer();
      const text = await mine.run('whoami');
      expect(text).toMatchObject({ exitCode: 0, stderr: '' });
      expect(text.stdout.split('\n')[0]).toBe(ada.email);
      const json = await mine.run('--json whoami');
      expect(JSON.parse(json.stdout)).toMatchObject({ email: ada.email, first_name: 'Ada' });
    });

    it('asks to sign in when nobody is', async () => {
      const { exitCode, stdout, stderr } = await platform.newComputer().run('whoami --json');
      expect([exitCode, stdout]).toEqual([3, '']);
      const message = `You are not signed in to ${platform.url}. Run \`platform login --url ${platform.url}\`.`;
      expect(JSON.parse(stderr)).toEqual({ error: { code: 'not_signed_in', message, exit_code: 3 } });
    });

    it('asks to sign in again when the session was ended elsewhere', async () => {
      const mine = computer();
      await platform.query("UPDATE gateway.sessions SET revoked_at = now(), revoked_reason = 'test' WHERE id = $1", [
        sessionOf(mine),
      ]);
      mine.expireAccessToken();
      const { exitCode, stderr } = await mine.run('whoami');
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('has ended. Run `platform login')]);
    });
  });

  describe('a session shared by many processes', () => {
    it('is refreshed by one of those that find it expired at the same time', async () => {
      const mine = relayedComputer();
      let refreshes = 0;
      relay.beforeAnswer = ({ path }) => {
        if (path === '/v1/auth/refresh') refreshes++;
      };
      mine.expireAccessToken();
      const answers = await Promise.all(Array.from({ length: 5 }, () => mine.run('whoami')));
      expect(answers.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(5).fill([0, '']));
      expect(refreshes).toBe(1);
    });

    it('survives a process that is killed between the refresh and the saving of the new tokens', async () => {
      const mine = relayedComputer();
      const before = mine.credentials.refresh_token;
      mine.expireAccessToken();
      const killed = mine.start('whoami');
      let successor = '';
      relay.beforeAnswer = async ({ path, body }) => {
        if (path !== '/v1/auth/refresh') return;
        successor = (JSON.parse(body) as { refresh_token: string }).refresh_token;
        relay.beforeAnswer = () => undefined;
        killed.kill('SIGKILL');
        await killed.exited;
      };
      await expect(killed.exited).resolves.toBe('SIGKILL');
      expect(mine.credentials.refresh_token).toBe(before);

      await expect(mine.run('whoami')).resolves.toMatchObject({ exitCode: 0, stderr: '' });
      expect(mine.credentials.refresh_token).toBe(successor);
      await expect(session(sessionOf(mine))).resolves.toMatchObject({ refresh_counter: 1, revoked_reason: null });
    });

    it('survives a process that sleeps in the middle of a refresh while others go on', async () => {
      const mine = relayedComputer();
      mine.expireAccessToken();
      const sleeper = mine.start('whoami');
      await new Promise<void>((refreshed) => {
        relay.beforeAnswer = ({ path }) => {
          if (path !== '/v1/auth/refresh') return;
          relay.beforeAnswer = () => undefined;
          sleeper.kill('SIGSTOP');
          refreshed();
        };
      });
      // After two more refreshes, the sleeper's token is outdated when it wakes.
      for (const _refresh of [1, 2]) {
        mine.expireAccessToken();
        await expect(mine.run('whoami')).resolves.toMatchObject({ exitCode: 0 });
      }
      const newest = mine.credentials.refresh_token;
      sleeper.kill('SIGCONT');
      await expect(sleeper.exited).resolves.toBe(0);
      expect(sleeper.stdout).toContain(ada.email);
      expect(mine.credentials.refresh_token).toBe(newest);
    });
  });

  describe('logout', () => {
    it('ends the session at the platform and leaves no file', async () => {
      const mine = computer();
      const id = sessionOf(mine);
      await expect(mine.run('logout')).resolves.toEqual({
        exitCode: 0,
        stdout: `You are signed out of ${platform.url}.\n`,
        stderr: '',
      });
      expect(mine.files).toEqual([]);
      await expect(session(id)).resolves.toMatchObject({ revoked_reason: 'logout' });
      await expect(mine.run('logout --json').then(({ stdout }) => JSON.parse(stdout) as unknown)).resolves.toEqual({
        status: 'not_signed_in',
        revoked: false,
      });
    });

    it('removes the credentials even when the platform is away, and says what that leaves', async () => {
      const mine = relayedComputer();
      const id = sessionOf(mine);
      relay.isBroken = true;
      const { exitCode, stdout, stderr } = await mine.run('logout');
      expect([exitCode, stdout]).toEqual([0, `The credentials for ${relay.url} were removed from this computer.\n`]);
      expect(stderr).toMatch(/cannot be reached[^]*The session may stay active on the platform/);
      expect(mine.files).toEqual([]);
      await expect(session(id)).resolves.toMatchObject({ revoked_reason: null });
    });
  });

  it('lists sessions, marks the own one, and ends others', async () => {
    const eve = await platform.signUp('eve@example.com');
    const mine = platform.newComputer();
    const login = mine.start('login');
    await eve.decide(login, 'approve');
    await expect(login.exited).resolves.toBe(0);
    const [other] = (await eve.signedInComputers(2)) as [Computer];
    const table = await mine.run('sessions');
    const rows = table.stdout.split('\n').filter((line) => line.startsWith('current'));
    expect(rows).toEqual([expect.stringContaining(sessionOf(mine))]);
    expect(rows[0]).toMatch(/ cli .* platform CLI on .* 127\.0\.0\.1 /);

    const json = await mine.run('sessions --json');
    const { sessions } = JSON.parse(json.stdout) as { sessions: { session_id: string; current: boolean }[] };
    expect(sessions.filter(({ current }) => current).map(({ session_id }) => session_id)).toEqual([sessionOf(mine)]);

    await expect(mine.run(`sessions revoke ${sessionOf(other)}`)).resolves.toMatchObject({ exitCode: 0 });
    await until(async () => (await other.run('whoami')).exitCode === 3);
    await expect(mine.run('sessions revoke ses_unknown')).resolves.toMatchObject({ exitCode: 1, stdout: '' });

    const others = await mine.run('sessions revoke-others --json');
    expect(JSON.parse(others.stdout)).toEqual({ revoked: sessions.length - 2 });
    await expect(mine.run('whoami')).resolves.toMatchObject({ exitCode: 0 });
  });

  it('creates an API key that is shown once, can be used, and can be deleted', async () => {
    const mine = computer();
    const created = await mine.run('keys create ci --expires 90d');
    expect(created).toMatchObject({ exitCode: 0, stderr: 'Store this key like a password. It is not shown again.\n' });
    const key = created.stdout.trim();
    expect(key).toMatch(/^cp_live_\S+$/);

    const listed = await mine.run('keys list');
    expect(listed.stdout).toContain('ci');
    expect(listed.stdout).not.toContain(key);
    const [{ id, expires_at }] = JSON.parse((await mine.run('keys --json')).stdout) as [
      { id: string; expires_at: string },
    ];
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(90);

    const stranger = platform.newComputer();
    const withKey = { PLATFORM_API_KEY: key };
    await expect(stranger.run('whoami', withKey)).resolves.toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(ada.email),
    });
    await expect(stranger.run('keys', withKey)).resolves.toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^This command needs a login, but PLATFORM_API_KEY is set\. Unset it, and run `platform login/,
      ),
    });
    // An API key does not replace the session of a signed-in user.
    await expect(mine.run('sessions --json', withKey)).resolves.toMatchObject({ exitCode: 2, stdout: '' });

    await expect(mine.run(`keys delete ${id}`)).resolves.toMatchObject({
      exitCode: 0,
      stdout: `The API key ${id} was deleted.\n`,
    });
    await expect(mine.run(`keys delete ${id}`)).resolves.toMatchObject({
      exitCode: 1,
      stderr: 'There is no such API key.\n',
    });
    await until(async () => (await stranger.run('whoami', withKey)).exitCode === 3);
    await expect(mine.run('keys')).resolves.toMatchObject({ stdout: expect.stringContaining('You have no API keys.') });
  });

  it.each([
    ['', /Usage: platform/],
    ['whoami --url nonsense', /must be an address such as https/],
    ['whoami --profile ../x', /It can have up to 64 letters/],
    ['keys create', /missing required argument 'name'/],
    ['keys create ci --expires soon', /Use a duration such as/],
    ['fly', /unknown command 'fly'/],
  ])('answers wrong usage (%j) with exit code 2', async (parameters, message) => {
    const { exitCode, stdout, stderr } = await platform.newComputer().run(parameters);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('explains itself', async () => {
    await expect(platform.newComputer().run('--help')).resolves.toMatchObject({ exitCode: 0, stderr: '' });
    await expect(platform.newComputer().run('--version')).resolves.toMatchObject({ exitCode: 0, stdout: '0.1.0\n' });
  });
});
