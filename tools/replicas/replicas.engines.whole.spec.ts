import type { AdjustWalletResponse, TokenResponse } from '@platform/contracts';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { until } from '@platform/testing';
import { runTour } from '../tour/tour.js';
import { ask } from './testing/api-user.js';
import { ReplicasTest } from './testing/replicas-test.js';
import { NOTE, SteadyLoad } from './testing/steady-load.js';

const PARALLEL = Array.from({ length: 10 }, (_value, at) => at);

/**
 * Includes the rolling restart: a separate spec would start two dozen more processes at the same
 * time.
 */
describe('two of each behind a proxy', () => {
  let test: ReplicasTest;
  beforeAll(async () => (test = await ReplicasTest.start()), 180_000); // images are unpacked first
  afterAll(() => test.stop());

  it('plays the tour', async () => {
    const lines: string[] = [];
    const moved: Promise<void>[] = [];
    await runTour({
      ...test.platform.addresses,
      print: (line) => {
        lines.push(line);
        if (line.includes('waiting for the run of the schedule at its time')) moved.push(test.bringForwardSchedules());
      },
    }).catch((error: unknown) => {
      throw new Error(lines.slice(-20).join('\n'), { cause: error });
    });
    await Promise.all(moved);
    expect(lines.at(-1)).toContain('everything worked');
    expect(test.platform.failures).toEqual([]);
  }, 120_000);

  it('rotates a refresh token once, and answers all who bring it alike', async () => {
    const { tokens, id } = await test.person();
    const { refresh_token } = tokens;
    const answers = await Promise.all(
      PARALLEL.map(() => ask<TokenResponse>(test.url, 'POST', '/v1/auth/refresh', { body: { refresh_token } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const sessions = 'SELECT refresh_counter AS value FROM gateway.sessions WHERE user_id = $1 AND revoked_at IS NULL';
    expect(await test.column(sessions, [id])).toEqual([1]);
  });

  it('takes credits once for one idempotency key', async () => {
    const { id } = await test.person();
    const adjust = (amount: number, idempotencyKey: string) =>
      test.administrator.ask<AdjustWalletResponse>('POST', `/v1/admin/wallets/${id}/adjust`, {
        body: { amount, note: 'A race' },
        idempotencyKey,
      });
    const { body: before } = await adjust(1_000, `give-${id}`);
    const answers = await Promise.all(PARALLEL.map(() => adjust(-300, `take-${id}`)));
    // A request during the first one can get 409 and must be repeated.
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const { status, body } = await adjust(-300, `take-${id}`);
    expect([status, body.balance]).toEqual([200, before.balance - 300]);
    const done = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.transaction_id);
    expect(new Set([...done, body.transaction_id]).size).toBe(1);
  });

  it('installs an app once', async () => {
    const appId = await test.app();
    const answers = await Promise.all(
      PARALLEL.map(() => test.developer.ask('POST', `/v1/marketplace/apps/${appId}/install`, { body: {} })),
    );
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const installs = 'SELECT count(*)::int AS value FROM gateway.installs WHERE app_id = $1 AND user_id = $2';
    expect(await test.column(installs, [appId, test.developer.id])).toEqual([1]);
    const events =
      "SELECT count(*)::int AS value FROM gateway.platform_events WHERE type = 'marketplace.app_installed' AND payload ->> 'app_id' = $1";
    expect(await test.column(events, [appId])).toEqual([1]);
  });

  it('takes one of the deploys of one version with different content, where the app is no draft', async () => {
    const appId = await test.app();
    const answers = await Promise.all(PARALLEL.map((at) => test.deploy(appId, '1.0.0', `Keeps the number ${at}.`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...PARALLEL.slice(1).map(() => 409)]);
    const versions =
      "SELECT document::text LIKE $2 AS value FROM gateway.app_versions WHERE app_id = $1 AND version = '1.0.0'";
    const won = answers.findIndex(({ status }) => status === 201);
    expect(await test.column(versions, [appId, `%Keeps the number ${won}.%`])).toEqual([true]);
  });

  it('gives the tokens of a device code to one of those that poll', async () => {
    const code_verifier = newVerifier();
    const asked = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256', label: 'a computer' };
    const { body: codes } = await ask<{ device_code: string; user_code: string }>(
      test.url,
      'POST',
      '/v1/auth/cli/device/authorize',
      {
        body: asked,
      },
    );
    const { id } = await test.person();
    const headers = { 'X-Service-Token': test.platform.serviceToken, 'X-Acting-User': id };
    const approved = await ask(test.url, 'POST', '/v1/auth/cli/device/approve', {
      body: { user_code: codes.user_code, action: 'approve' },
      headers,
    });
    expect(approved.status).toBe(200);
    const body = { device_code: codes.device_code, code_verifier };
    const answers = await Promise.all(
      PARALLEL.map(() => ask<Partial<TokenResponse>>(test.url, 'POST', '/v1/auth/cli/device/token', { body })),
    );
    expect(answers.filter((answer) => answer.body.access_token)).toHaveLength(1);
    const sessions = "SELECT count(*)::int AS value FROM gateway.sessions WHERE user_id = $1 AND surface = 'cli'";
    expect(await test.column(sessions, [id])).toEqual([1]);
  });

  it('loses no request and no event while a rolling restart replaces each process', async () => {
    const { administrator, developer, platform } = test;
    const appId = await test.app();
    const person = await test.person();
    const before = platform.failures.length;
    const load = await SteadyLoad.during({ url: test.url, administrator, developer, person, appId }, () =>
      platform.replaceAll(),
    );
    expect([load.failures, platform.failures.slice(before)]).toEqual([[], []]);
    expect(load.rounds).toBeGreaterThan(30);

    const notes = `SELECT unnest(ARRAY[count(*)::int, count(DISTINCT data -> 'number')::int]) AS value FROM ext_host.documents WHERE app_id = $1`;
    expect(await test.column(notes, [appId])).toEqual([load.rounds, load.rounds]);
    const given = 'SELECT count(*)::int AS value FROM gateway.ledger_entries WHERE description = $1';
    expect(await test.column(given, [NOTE])).toEqual([load.rounds]);
    const events = () =>
      test.column<string>(
        "SELECT position::text AS value FROM gateway.platform_events WHERE user_id = $1 AND type LIKE 'marketplace.app\\_%' ORDER BY position",
        [person.id],
      );
    await until(() => load.receivedEventIds.length >= load.installChanges);
    await load.stop();
    expect(await events()).toHaveLength(load.installChanges);
    expect(load.receivedEventIds).toEqual(await events());
    const sessions = 'SELECT revoked_reason AS value FROM gateway.sessions WHERE user_id = $1';
    expect(await test.column(sessions, [person.id])).toEqual([null]);
    await until(async () => (await test.column('SELECT count(*)::int AS value FROM gateway.outbox'))[0] === 0);
  }, 120_000);
});
