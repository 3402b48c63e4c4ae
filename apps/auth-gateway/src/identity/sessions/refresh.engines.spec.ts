import type { TokenResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import { decodeJwt } from 'jose';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { GatewayTest } from '../../testing/gateway-test.js';
import { Statements } from '../../testing/statements.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const refresh = (refresh_token: string, service = gateway.service) =>
  service.client().post<TokenResponse>('/v1/auth/refresh', { refresh_token });
const sessionOf = ({ access_token }: TokenResponse) => decodeJwt(access_token)['sid'] as string;
const session = async (id: string) =>
  (
    await gateway.service.query<{ refresh_counter: number; revoked_reason: string | null }>(
      'SELECT * FROM sessions WHERE id = $1',
      [id],
    )
  )[0];
const audited = (id: string) =>
  gateway.service.query('SELECT action FROM gateway_audit.audit_entries WHERE target_id = $1', [id]);
/** Moves the rotations of a session into the past. */
const age = (id: string, interval: string) =>
  gateway.service.query(
    `UPDATE sessions SET recent_rotations = ARRAY(SELECT at - interval '${interval}' FROM unnest(recent_rotations) WITH ORDINALITY AS r (at, n) ORDER BY n) WHERE id = $1`,
    [id],
  );
/** Ends the gateway's connections, as a restart of PostgreSQL does. */
const endConnections = () =>
  gateway.service.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gateway' AND pid <> pg_backend_pid()",
  );

describe('refresh', () => {
  it('returns the next pair of the same session', async () => {
    const first = await gateway.login(await gateway.user());
    const { status, body } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(sessionOf(body)).toBe(sessionOf(first));
    expect((await gateway.client().withToken(body.access_token).get('/v1/auth/me')).status).toBe(200);
  });

  it('rotates once for 100 parallel refreshes over two processes, and answers all of them alike', async () => {
    const second = await gateway.startSecondProcess();
    const first = await gateway.login(await gateway.user());
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_value, at) => refresh(first.refresh_token, at % 2 ? second : gateway.service)),
    );
    await second.stop();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => sessionOf(body)))).toEqual(new Set([sessionOf(first)]));
    expect(await session(sessionOf(first))).toMatchObject({ refresh_counter: 1, revoked_reason: null });
  });

  it('still returns the same successor when the successor was used within the grace', async () => {
    const first = await gateway.login(await gateway.user());
    const second = await refresh(first.refresh_token);
    await refresh(second.body.refresh_token);
    const again = await refresh(first.refresh_token);
    expect(again).toMatchObject({ status: 200, body: { refresh_token: second.body.refresh_token } });
    expect((await session(sessionOf(first)))?.refresh_counter).toBe(2);
  });

  it('ends the session when a token comes back after the grace', async () => {
    const first = await gateway.login(await gateway.user());
    const successor = (await refresh(first.refresh_token)).body;
    await age(sessionOf(first), '61 seconds');
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    expect(await refresh(successor.refresh_token)).toMatchObject({
      status: 401,
      body: { code: 'invalid_refresh_token' },
    });
    expect((await gateway.client().withToken(successor.access_token).get('/v1/auth/me')).status).toBe(401);
    expect(await session(sessionOf(first))).toMatchObject({ refresh_counter: 1, revoked_reason: 'refresh_reuse' });
    const logged = gateway.service.logLines.filter(
      (line) => line.includes(sessionOf(first)) && line.includes('used again after its grace'),
    );
    expect(logged).toHaveLength(1);
    expect(await audited(sessionOf(first))).toEqual([{ action: 'session.refresh_reuse' }]);
  });

  it('ends the session once, when 50 thieves bring the old token and the owner the new one at the same time', async () => {
    const first = await gateway.login(await gateway.user());
    const successor = (await refresh(first.refresh_token)).body;
    await age(sessionOf(first), '61 seconds');
    const [owner, ...thieves] = await Promise.all([
      refresh(successor.refresh_token),
      ...Array.from({ length: 50 }, () => refresh(first.refresh_token)),
    ]);
    for (const { status, body } of thieves)
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    // The owner may have come before the first thief; all others came before the owner.
    expect([200, 401]).toContain(owner.status);
    const last = owner.status === 200 ? owner.body : successor;
    expect((await refresh(last.refresh_token)).status).toBe(401);
    expect((await gateway.client().withToken(last.access_token).get('/v1/auth/me')).status).toBe(401);
    expect((await session(sessionOf(first)))?.revoked_reason).toBe('refresh_reuse');
    expect(await audited(sessionOf(first))).toEqual([{ action: 'session.refresh_reuse' }]);
  });

  it('gives every dead token the same 401', async () => {
    const revoked = await gateway.login(await gateway.user());
    await gateway.client().post('/v1/auth/logout', { refresh_token: revoked.refresh_token });
    const idle = await gateway.login(await gateway.user());
    await gateway.service.query("UPDATE sessions SET idle_expires_at = now() - interval '1 second' WHERE id = $1", [
      sessionOf(idle),
    ]);
    const old = await gateway.login(await gateway.user());
    await gateway.service.query("UPDATE sessions SET absolute_expires_at = now() - interval '1 second' WHERE id = $1", [
      sessionOf(old),
    ]);
    const deleted = await gateway.login(await gateway.user());
    await gateway.service.query('DELETE FROM sessions WHERE id = $1', [sessionOf(deleted)]);
    const forged = `${revoked.refresh_token.slice(0, -4)}AAAA`;
    const unknownKey = revoked.refresh_token.replace('rt1_k1_', 'rt1_k2_');
    const tokens = [revoked, idle, old, deleted].map((pair) => pair.refresh_token);
    await expectNothingStored(gateway.service, async () => {
      const answers = await Promise.all(
        [...tokens, forged, unknownKey, 'garbage', '', revoked.access_token].map((token) => refresh(token)),
      );
      for (const { status, headers, body } of answers) {
        expect(status).toBe(401);
        expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway", error="invalid_token"');
        expect(body).toEqual({
          detail: 'The session has ended. Sign in again.',
          code: 'invalid_refresh_token',
          request_id: expect.any(String),
        });
      }
    });
  });

  it('costs as much for every dead token of ours, and nothing for what is none', async () => {
    const pairs = await Promise.all(Array.from({ length: 3 }, async () => gateway.login(await gateway.user())));
    const [revoked, idle, deleted] = pairs as [TokenResponse, TokenResponse, TokenResponse];
    await gateway.client().post('/v1/auth/logout', { refresh_token: revoked.refresh_token });
    await gateway.service.query("UPDATE sessions SET idle_expires_at = now() - interval '1 second' WHERE id = $1", [
      sessionOf(idle),
    ]);
    await gateway.service.query('DELETE FROM sessions WHERE id = $1', [sessionOf(deleted)]);
    const statements = new Statements();
    const costs: string[][] = [];
    for (const refresh_token of [
      ...pairs.map((pair) => pair.refresh_token),
      `${revoked.refresh_token.slice(0, -4)}AAAA`,
      'garbage',
    ]) {
      const requestId = newId('req');
      await gateway.client().withHeaders({ 'X-Request-Id': requestId }).post('/v1/auth/refresh', { refresh_token });
      costs.push(statements.ofRequest(requestId).filter((statement) => !statement.includes('INTO rate_limits')));
    }
    statements.stop();
    expect(costs[0]).toHaveLength(2);
    expect(costs).toEqual([costs[0], costs[0], costs[0], [], []]);
  });

  it('says 503, never 401, while the database is away, and the token is good afterwards', async () => {
    const pair = await gateway.login(await gateway.user());
    const cut = await gateway.startSecondProcess();
    const database = cut.app.get(DataSource);
    await database.destroy();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(pair.refresh_token, cut)));
    await database.initialize();
    await cut.stop();
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await session(sessionOf(pair))).toMatchObject({ refresh_counter: 0, revoked_reason: null });
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  it('says 503 or the truth, never 401, when PostgreSQL ends its connections meanwhile', async () => {
    const pairs = await Promise.all(Array.from({ length: 50 }, async () => gateway.login(await gateway.user())));
    const answers = pairs.map(({ refresh_token }) => refresh(refresh_token));
    await endConnections();
    for (const { status, body } of await Promise.all(answers)) {
      if (status !== 200) expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    }
    const retry = async (token: string) =>
      until(async () => [await refresh(token)].find(({ status }) => status !== 503));
    const again = await Promise.all(pairs.map(({ refresh_token }) => retry(refresh_token)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    for (const pair of pairs)
      expect(await session(sessionOf(pair))).toMatchObject({ refresh_counter: 1, revoked_reason: null });
  });

  it('refuses a user who was disabled since, and ends the session', async () => {
    const user = await gateway.user();
    const pair = await gateway.login(user);
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    expect((await refresh(pair.refresh_token)).status).toBe(401);
    expect((await session(sessionOf(pair)))?.revoked_reason).toBe('account_disabled');
  });

  it('says 429, not 401, to a session that refreshes too often', async () => {
    let pair = await gateway.login(await gateway.user());
    let last = await refresh(pair.refresh_token);
    for (let at = 0; last.status === 200; at++) {
      expect(at).toBeLessThan(40);
      pair = last.body;
      last = await refresh(pair.refresh_token);
    }
    expect(last).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await session(sessionOf(pair)))?.revoked_reason).toBeNull();
    await gateway.service.query('UPDATE sessions SET refresh_arrival = now() WHERE id = $1', [sessionOf(pair)]);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  it('opens tokens of an older secret key, and makes new ones with the first', async () => {
    const pair = await gateway.login(await gateway.user());
    const { SECRET_KEYS: older } = gateway.service.env;
    const rotated = await gateway.startSecondProcess({
      SECRET_KEYS: `k2:${randomBytes(32).toString('base64')},${older}`,
    });
    const { status, body } = await refresh(pair.refresh_token, rotated);
    await rotated.stop();
    expect(status).toBe(200);
    expect(body.refresh_token).toMatch(/^rt1_k2_/);
  });

  it('answers 422 to a body that is none', async () => {
    expect((await gateway.client().post('/v1/auth/refresh', {})).status).toBe(422);
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token: ['x'] })).status).toBe(422);
  });
});

describe('logout', () => {
  it('ends the session at once', async () => {
    const pair = await gateway.login(await gateway.user());
    const me = gateway.client().withToken(pair.access_token);
    expect((await me.get('/v1/auth/me')).status).toBe(200);
    expect(await gateway.client().post('/v1/auth/logout', { refresh_token: pair.refresh_token })).toMatchObject({
      status: 200,
      body: { message: 'Logged out' },
    });
    expect((await me.get('/v1/auth/me')).status).toBe(401);
    expect((await refresh(pair.refresh_token)).status).toBe(401);
    expect((await session(sessionOf(pair)))?.revoked_reason).toBe('logout');
  });

  it('answers 200 to a token that is unknown or was used', async () => {
    for (const refresh_token of ['garbage', (await gateway.login(await gateway.user())).refresh_token]) {
      expect((await gateway.client().post('/v1/auth/logout', { refresh_token })).status).toBe(200);
      expect((await gateway.client().post('/v1/auth/logout', { refresh_token })).status).toBe(200);
    }
  });

  it('leaves nothing alive in 50 races with refresh', async () => {
    const pairs = await Promise.all(Array.from({ length: 50 }, async () => gateway.login(await gateway.user())));
    const races = await Promise.all(
      pairs.map(({ refresh_token }) =>
        Promise.all([
          refresh(refresh_token),
          gateway.client().post('/v1/auth/logout', { refresh_token }),
          refresh(refresh_token),
        ]),
      ),
    );
    for (const [before, logout, after] of races) {
      expect(logout).toMatchObject({ status: 200, body: { message: 'Logged out' } });
      for (const { status, body } of [before, after]) {
        if (status === 200)
          expect(await refresh(body.refresh_token)).toMatchObject({
            status: 401,
            body: { code: 'invalid_refresh_token' },
          });
        else expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
        if (status === 200)
          expect((await gateway.client().withToken(body.access_token).get('/v1/auth/me')).status).toBe(401);
      }
    }
    const states = await gateway.service.query('SELECT DISTINCT revoked_reason FROM sessions WHERE id = ANY ($1)', [
      pairs.map(sessionOf),
    ]);
    expect(states).toEqual([{ revoked_reason: 'logout' }]);
  });
});
