import { toTokens } from '@platform/client';
import type { KeyResponse } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { EventStreamClient, until, type TestService } from '@platform/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asNewEvent, type AnyEvent } from '../../apps/auth-gateway/src/testing/events.js';
import { PlatformEventsService } from '../../apps/auth-gateway/src/extensions/events/platform-events.service.js';
import { AccessTokensService } from '../../apps/auth-gateway/src/identity/tokens/access-tokens.service.js';
import { GatewayTest, type TestUser } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { CredentialStore } from '../../apps/cli/src/credentials/credential-store.js';
import { Interruption } from '../../apps/cli/src/interruption.js';
import { resolveSettings } from '../../apps/cli/src/settings.js';
import type { CommandProcess } from './command-process.js';
import { Computer } from './computer.js';
import { TcpRelay } from './tcp-relay.js';

const BEGIN = 'Showing new events. Press Ctrl-C to stop.\n';

/** The built command line and a real gateway. Clients reconnect after two seconds. */
describe('platform events tail', () => {
  let gateway: GatewayTest;
  let relay: TcpRelay;
  let home: string;
  let user: TestUser;
  let computer: Computer;
  let refreshToken: string;
  const running = new Set<CommandProcess>();
  beforeAll(async () => {
    gateway = await GatewayTest.start();
    relay = await TcpRelay.start(gateway.service.url);
  });
  beforeEach(async () => {
    comeBackSoon();
    relay.target = gateway.service.url;
    home = mkdtempSync(join(tmpdir(), 'platform-tail-'));
    user = await gateway.user();
    computer = new Computer(home, relay.url);
    const answer = await gateway.login(user);
    refreshToken = answer.refresh_token;
    const settings = { ...resolveSettings({ url: computer.url }, computer.env), folder: computer.folder };
    await new CredentialStore(settings, new Interruption(), () => undefined).save(toTokens(answer));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const command of running) command.kill('SIGKILL');
    await Promise.all([...running].map(({ exited }) => exited));
    running.clear();
    rmSync(home, { recursive: true });
  });
  afterAll(async () => {
    await relay.stop();
    await gateway.service.query('DELETE FROM platform_events'); // their payloads are invented
    await gateway.stop();
  });

  const comeBackSoon = () => jest.spyOn(Math, 'random').mockReturnValue(0);
  const publish = (changes: Partial<AnyEvent> = {}, { app }: TestService = gateway.service): Promise<string | null> =>
    app
      .get(Outbox)
      .transaction((em) =>
        app
          .get(PlatformEventsService)
          .publish(
            em,
            asNewEvent({ type: 'system.tested', tenantId: 'default', userId: user.id, data: { n: 1 }, ...changes }),
          ),
      );
  const number = async (from: number, upTo: number): Promise<void> => {
    for (let n = from; n <= upTo; n++) await publish({ data: { n } });
  };
  /** Cursor of the latest event. */
  const head = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${computer.credentials.access_token}` };
    const stream = await (
      await EventStreamClient.open(`${gateway.service.url}/v1/events/stream`, headers)
    ).waitUntilLive();
    stream.close();
    return stream.lastEventId as string;
  };
  /** Starts the command. It shows all later events, whenever it connects. */
  const tail = async (options = '', env: NodeJS.ProcessEnv = {}): Promise<CommandProcess> => {
    const command = computer.start(`events tail --since ${await head()} ${options}`, env);
    running.add(command);
    return command;
  };
  const objects = ({ stdout }: CommandProcess) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: string; type: string; payload: { n: unknown }; ts: string });
  const numbers = (command: CommandProcess): unknown[] => objects(command).map(({ payload }) => payload.n);

  it('shows events as they happen: when, what, and what they say, until Ctrl-C', async () => {
    const command = await tail();
    await publish({ type: 'billing.plan_changed', data: { plan: 'pro', note: 'two words\u001b[2J' } });
    await publish({ type: 'system.long', data: { text: 'x'.repeat(1_000) } });
    await command.printed(/x\n/);
    const [first, second] = command.stdout.split('\n');
    expect(first).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}billing\.plan_changed {6}note="two words\\u001b\[2J" plan=pro$/,
    );
    expect(second).toMatch(/system\.long {15}text=x{1000}$/); // only a terminal has a width
    command.kill('SIGINT');
    expect(await command.exited).toBe(130);
  });

  it('keeps to the sources and types that are wanted, and ends after so many', async () => {
    const command = await tail('--source billing,system --type billing.*,system.done --limit 2 --json');
    await publish({ type: 'marketplace.app_installed' });
    await publish();
    await publish({ type: 'billing.plan_changed', data: { n: 'first' } });
    await publish({ type: 'system.done', data: { n: 'second' } });
    await publish({ type: 'system.done', data: { n: 'third' } });
    expect([await command.exited, command.stderr]).toEqual([0, BEGIN]);
    expect(objects(command)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        type: 'billing.plan_changed',
        payload: { n: 'first' },
        ts: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ payload: { n: 'second' } }),
    ]);
  });

  it('goes on where it was after the gateway has stopped, and after it was killed: each once and in order', async () => {
    jest.restoreAllMocks(); // Nest derives module names from random values
    const second = await gateway.startSecondProcess();
    comeBackSoon();
    relay.target = second.url;
    const command = await tail('--limit 7 --json');
    await number(1, 2);
    await until(() => numbers(command).length === 2);
    relay.target = gateway.service.url;
    await second.stop();
    await number(3, 4);
    await until(() => numbers(command).length === 4);
    relay.target = 'http://127.0.0.1:9';
    relay.breakAll();
    await number(5, 6);
    await until(() => command.stderr.includes('Trying again'));
    relay.target = gateway.service.url;
    await number(7, 7);
    expect(await command.exited).toBe(0);
    expect(numbers(command)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(command.stderr).toBe(
      `${BEGIN}The connection was interrupted. Trying again.\nReconnected; no events were missed.\n`,
    );
  });

  it('says that more was missed than the platform can tell, and goes on', async () => {
    const command = computer.start('events tail --since 999999999999 --limit 1 --json');
    running.add(command);
    await until(() => command.stderr.includes('missed'));
    await publish();
    expect(await command.exited).toBe(0);
    expect([command.stderr, numbers(command)]).toEqual([
      expect.stringContaining('\nYou missed events that are older than 24 hours'),
      [1],
    ]);
  });

  it('refreshes the access token that has expired, and goes on', async () => {
    const tokens = gateway.service.app.get(AccessTokensService);
    const verify = tokens.verifyAccessToken.bind(tokens);
    const since = await head();
    let expiresAt: number | undefined;
    const short = jest.spyOn(tokens, 'verifyAccessToken').mockImplementation(async (given) => {
      expiresAt ??= Date.now() / 1_000 + 5; // from the first use, because the command can start slowly
      return { ...(await verify(given)), expiresAt };
    });
    const command = computer.start(`events tail --since ${since} --limit 2 --json`);
    running.add(command);
    await publish({ data: { n: 1 } });
    await until(() => numbers(command).length === 1);
    short.mockRestore();
    const { access_token: before } = computer.credentials;
    computer.expireAccessToken();
    await until(() => computer.credentials.access_token !== before);
    await publish({ data: { n: 2 } });
    expect([await command.exited, command.stderr, numbers(command)]).toEqual([0, BEGIN, [1, 2]]);
  });

  it('ends when the session has ended, and says what to do', async () => {
    const command = await tail('--json');
    await publish();
    await until(() => numbers(command).length === 1);
    await gateway.client().post('/v1/auth/logout', { refresh_token: refreshToken });
    expect(await command.exited).toBe(3);
    const message = `Your session at ${relay.url} has ended. Run \`platform login --url ${relay.url}\`.`;
    expect(JSON.parse(command.stderr.slice(BEGIN.length))).toEqual({
      error: { code: 'not_signed_in', message, exit_code: 3 },
    });
    expect(numbers(command)).toEqual([1]);
  });

  it('takes an API key, and ends when that is deleted', async () => {
    const signedIn = await gateway.signIn(user);
    const { key, id } = (await signedIn.post<KeyResponse>('/v1/keys', { name: 'tail', scopes: 'events:read' })).body;
    const command = await tail('--json', { PLATFORM_API_KEY: key });
    await publish();
    await until(() => numbers(command).length === 1);
    await signedIn.delete(`/v1/keys/${id}`);
    expect(await command.exited).toBe(3);
    expect(command.stderr).toContain('The API key in PLATFORM_API_KEY is no longer valid');
  });

  it('does not wait for a platform that cannot be reached to begin with', async () => {
    const nowhere = { PLATFORM_URL: 'http://127.0.0.1:9', PLATFORM_API_KEY: `cp_live_${'x'.repeat(43)}` };
    const { exitCode, stdout, stderr } = await computer.run('events tail', nowhere);
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(/cannot be reached/)]);
  });

  // On Node.js 20 this takes ten seconds: its fetch never answers, so the timeout ends it.
  it('fails when its connection is closed without an answer', async () => {
    relay.target = 'http://127.0.0.1:9';
    const { exitCode, stdout, stderr } = await computer.run('events tail');
    expect([exitCode, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/cannot be reached|did not answer within 10 s/),
    ]);
  });

  it.each([
    ['--type [a]', 2, /Use event types such as/],
    ['--limit 0', 2, /at least 1/],
    ['--since yesterday', 2, /whole number/],
    ['--source A', 1, /source_types/],
  ])('does not follow with %s', async (options, code, message) => {
    const { exitCode, stdout, stderr } = await computer.run(`events tail ${options}`);
    expect([exitCode, stdout, stderr]).toEqual([code, '', expect.stringMatching(message)]);
  });
});
