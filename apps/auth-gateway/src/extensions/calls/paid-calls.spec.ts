import { CallCountsService, LedgerService, WalletsRepository } from '@platform/billing';
import type {
  CallResponse,
  ConfirmedResponse,
  InstalledExtension,
  InstallResult,
  MarketplaceAppDetail,
  OperateResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, until, type RequestOptions, type TestClient } from '@platform/testing';
import type { Server } from 'node:http';
import { Registry } from 'prom-client';
import {
  createApp,
  createDeveloper,
  setPrices,
  tool,
  type TestAppChanges,
  type TestPricing,
} from '../../testing/apps.js';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { InstallFeedService } from '../installs/install-feed.service.js';
import { PlatformAppsService } from '../installs/platform-apps.service.js';
import { GatewayCredentialsService } from '../../identity/credentials/gateway-credentials.service.js';
import type { RunGrant } from '../run-grants/run-grant.js';
import type { AbandonedCalls } from './abandoned-calls.js';
import { CallTargetsService } from './call-targets.service.js';
import { FunctionCallsService } from './function-calls.service.js';

let host: FakeRunHost;
let platform: RegistryTest;
/** Number of callers that disconnected before their answer. */
let gone = 0;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  (platform.gateway.service.app.getHttpServer() as Server).on('request', (_request, response) => {
    response.once('close', () => (gone += response.writableFinished ? 0 : 1));
  });
});
afterEach(() => host.reset());
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const TOOLS = [
  tool('search'),
  tool('create', { action_type: 'write' }),
  tool('erase', { action_type: 'destructive' }),
  tool('free_one'),
  // Makes users consent to calls of other apps.
  tool('start', { required_scopes: ['extensions:read'] }),
];
const PER_CALL: TestPricing = { perCall: { search: 20, create: 30, erase: 40 } };

interface Payer {
  user: TestUser;
  client: TestClient;
}

/** A user with credits. `earns`: true if they were paid for, so that developers earn. */
async function payer(credits: number, { earns = true } = {}): Promise<Payer> {
  const user = await platform.gateway.user({ scopes: ['extensions:read'] });
  if (credits) await give(user.id, credits, earns);
  return { user, client: platform.gateway.actingFor(user.id) };
}

async function give(userId: string, amount: number, earns = true): Promise<void> {
  const { app } = platform.gateway.service;
  const walletId = await app.get(WalletsRepository).ensureWallet(userId);
  const credit = { amount, earns, key: newId('given'), kind: 'admin_adjustment', source: 'adjustment' } as const;
  expect(await app.get(LedgerService).credit(walletId, credit)).toMatchObject({ outcome: 'done' });
}

/** An app with prices by another developer, installed by the users. */
async function pricedApp(
  prices: TestPricing,
  users: Payer[],
  changes: TestAppChanges = {},
): Promise<{ appId: string; developerId: string }> {
  const { app_id: appId, developer_id } = await createRegisteredApp(platform, {
    tools: TOOLS,
    document: {},
    ...changes,
  });
  await setPrices(platform.gateway, appId, prices);
  for (const { client } of users)
    expect((await client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
  return { appId, developerId: developer_id as string };
}

const call = ({ user, client }: Payer, appId: string, name = 'search', options: RequestOptions = {}) =>
  client.post<CallResponse & Record<string, unknown>>(
    `/v1/extensions/${appId}/call`,
    { user_id: user.id, function: name, params: {} },
    options,
  );
/**
 * Starts a call. The returned function disconnects its caller and resolves when the gateway has
 * noticed.
 */
function callToLeave(one: Payer, appId: string, name: string): () => Promise<void> {
  const leaving = new AbortController();
  const left = call(one, appId, name, { signal: leaving.signal }).catch(() => null);
  return async () => {
    const before = gone;
    leaving.abort();
    await left;
    await until(() => gone > before);
  };
}
const batch = ({ user, client }: Payer, appId: string, names: string[]) =>
  client.post<CallResponse[]>(`/v1/extensions/${appId}/batch`, {
    user_id: user.id,
    calls: names.map((name) => ({ function: name })),
  });
const operate = ({ user, client }: Payer, appId: string, name: string) =>
  client.post<OperateResponse>(`/v1/extensions/${appId}/operate`, { user_id: user.id, function: name, params: {} });

async function walletOf({ user }: Payer): Promise<{ balance: number; held: number; debt: number }> {
  const [wallet] = await query<Record<'balance' | 'held' | 'debt', string>>(
    "SELECT balance, held, debt FROM wallets WHERE user_id = $1 AND kind = 'user'",
    [user.id],
  );
  return { balance: Number(wallet?.balance), held: Number(wallet?.held), debt: Number(wallet?.debt) };
}

const chargesOf = ({ user }: Payer) =>
  query<Record<string, unknown>>(
    `SELECT e.kind, e.amount::int, e.app_id, e.function, e.price_version, e.developer_id, e.earned_base::int, e.share::int, e.idem_key
     FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = $1 AND e.amount < 0 ORDER BY e.seq`,
    [user.id],
  );

/** Holds all runs until the returned function is called; then they succeed. */
function holdRuns(): () => void {
  let letGo = (): void => undefined;
  const over = new Promise<void>((done) => (letGo = done));
  host.answer = () => over.then(() => SUCCESS);
  return letGo;
}

const chargesLost = async (): Promise<number> =>
  (await platform.gateway.service.app.get(Registry).getSingleMetric('call_charges_lost_total')?.get())?.values[0]
    ?.value ?? 0;

/** Locks the wallet in another transaction until it is released. */
const lockWallet = ({ user }: Payer): Promise<HeldLock> =>
  HeldLock.acquire(platform.gateway.service, 'SELECT 1 FROM wallets WHERE user_id = $1 FOR UPDATE', [user.id]);

interface Wait {
  batches: { longestWaitMs: number };
  /** Released at the end of the check. */
  lock: HeldLock;
  said: string;
}

/** Expects that a call that needs the lock fails, is retryable, and runs nothing. */
async function expectToWaitTooLong(one: Payer, appId: string, { batches, lock, said }: Wait): Promise<void> {
  const limit = jest.replaceProperty(batches, 'longestWaitMs', 50);
  const runs = host.runs.length;
  const body = { status: 'error', error_code: 'BACKEND_5XX', retryable: true, error: expect.stringContaining(said) };
  try {
    expect(await call(one, appId)).toMatchObject({ status: 200, body });
    expect(host.runs).toHaveLength(runs);
  } finally {
    await lock.release();
    limit.restore();
  }
}

/** Ends the paid month of an app. Disables the trigger that keeps entries unchanged. */
const endMonth = (appId: string) =>
  query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE ledger_entries SET at = at - interval '32 days' WHERE app_id = '${appId}' AND kind = 'app_subscription'; COMMIT`,
  );

/** Credits spent according to the user's actions. */
async function recordedFor({ user }: Payer): Promise<number> {
  const [actions] = await query<{ credits: string }>(
    'SELECT sum(action_price) AS credits FROM actions WHERE user_id = $1',
    [user.id],
  );
  return Number(actions?.credits);
}

async function toolCallsOf({ user }: Payer): Promise<string[]> {
  const counters = await query<{ used: string }>(
    "SELECT used FROM usage_counters WHERE user_id = $1 AND meter = 'tool_calls'",
    [user.id],
  );
  return counters.map(({ used }) => used);
}

const failing = () => {
  host.answer = () => ({ ...SUCCESS, status: 'error', error: 'No.', error_code: 'NO' });
};

describe('a call that costs something', () => {
  it('is paid when it succeeds, and its developer has a share', async () => {
    const one = await payer(100);
    const { appId, developerId } = await pricedApp(PER_CALL, [one]);
    expect(await call(one, appId)).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
    const [charge] = await chargesOf(one);
    expect(charge).toMatchObject({
      kind: 'call_charge',
      amount: -20,
      app_id: appId,
      function: 'search',
      price_version: 1,
      developer_id: developerId,
      earned_base: 20,
      share: 14,
    });
    // The charge has the id of the action, which records the price.
    expect(
      await query('SELECT id, action_price::int, extension_price::int FROM actions WHERE user_id = $1', [one.user.id]),
    ).toEqual([{ id: charge?.['idem_key'], action_price: 20, extension_price: 20 }]);
  });

  it('costs nothing when it fails, and when it takes too long', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    failing();
    expect((await call(one, appId)).body.status).toBe('error');
    host.answer = () => 500;
    expect((await call(one, appId)).body.status).toBe('error');
    expect(await walletOf(one)).toEqual({ balance: 100, held: 0, debt: 0 });
    expect(await chargesOf(one)).toEqual([]);
    const actions = await query<{ action_price: string }>('SELECT action_price FROM actions WHERE user_id = $1', [
      one.user.id,
    ]);
    expect(actions.map(({ action_price: price }) => price)).toEqual(['0', '0']);
  });

  it('goes on when the caller has gone, and costs what it did; one that is free ends', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const letGo = holdRuns();
    const runs = host.runs.length;
    const aborted = host.aborted;
    for (const [at, name] of ['free_one', 'create'].entries()) {
      const leave = callToLeave(one, appId, name);
      await until(() => Promise.resolve(host.runs.length === runs + at + 1));
      await leave();
      if (name === 'free_one') await until(() => Promise.resolve(host.aborted === aborted + 1));
    }
    letGo();
    await until(async () => (await walletOf(one)).balance === 70);
    expect(await walletOf(one)).toEqual({ balance: 70, held: 0, debt: 0 });
    expect(host.aborted).toBe(aborted + 1);
    await until(async () => (await recordedFor(one)) === 30);
  });

  it('is waited for at the shutdown when its caller has gone, and nobody has more of them than is allowed', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const letGo = holdRuns();
    const runs = host.runs.length;
    const leave = callToLeave(one, appId, 'create');
    await until(() => Promise.resolve(host.runs.length === runs + 1));
    const functions = platform.gateway.service.app.get(FunctionCallsService);
    const { abandoned } = functions as unknown as { abandoned: AbandonedCalls };
    const bound = jest.replaceProperty(abandoned as unknown as { mostOfCaller: number }, 'mostOfCaller', 1);
    await leave();
    let isOver = false;
    await until(() => Promise.resolve(!abandoned.hasRoom(`${one.user.id} `)));
    const over = functions.onApplicationShutdown().then(() => (isOver = true));
    try {
      expect(await call(one, appId)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect((await batch(one, appId, ['search'])).body).toMatchObject([
        { error_code: 'RATE_LIMITED', retryable: true },
      ]);
      const leaveFree = callToLeave(one, appId, 'free_one');
      await until(() => host.runs.length === runs + 2); // it was not refused
      await leaveFree();
      expect(isOver).toBe(false);
    } finally {
      bound.restore();
      letGo();
    }
    await over;
    expect(await walletOf(one)).toEqual({ balance: 70, held: 0, debt: 0 });
    expect(await recordedFor(one)).toBe(30);
  });

  it('neither runs nor costs anything when the caller has gone before it began', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const runs = host.runs.length;
    const lock = await lockWallet(one);
    const leave = callToLeave(one, appId, 'create');
    await lock.waitForBlocked(1);
    await leave();
    await lock.release();
    await until(async () => (await query('SELECT 1 FROM actions WHERE user_id = $1', [one.user.id])).length === 1);
    expect(await walletOf(one)).toEqual({ balance: 100, held: 0, debt: 0 });
    expect(host.runs).toHaveLength(runs);
    expect(await toolCallsOf(one)).toEqual([]);
  });

  it('is recorded as free where its hold had ended, so that nothing was spent', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    host.answer = async () => {
      const [hold] = await query<{ id: string; wallet_id: string }>(
        'SELECT h.id, h.wallet_id FROM wallet_holds h JOIN wallets w ON w.id = h.wallet_id WHERE w.user_id = $1',
        [one.user.id],
      );
      if (hold) await platform.gateway.service.app.get(LedgerService).release(hold.wallet_id, hold.id);
      return SUCCESS;
    };
    expect((await call(one, appId)).body.status).toBe('success');
    expect(await walletOf(one)).toEqual({ balance: 100, held: 0, debt: 0 });
    expect(await recordedFor(one)).toBe(0);
  });

  it('is counted by why it was refused', async () => {
    const one = await payer(0);
    const { appId } = await pricedApp(PER_CALL, [one]);
    await call(one, appId);
    const metrics = await platform.gateway.service.app.get(Registry).metrics();
    expect(metrics).toMatch(/^extension_calls_total\{.*outcome="INSUFFICIENT_CREDITS".*\} \d+$/m);
  });

  it('does not run where the wallet has too little: 402 with the price and the balance', async () => {
    const one = await payer(19);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const runs = host.runs.length;
    expect(await call(one, appId)).toMatchObject({
      status: 402,
      body: { code: 'wallet.insufficient', price: 20, balance: 19 },
    });
    const nobody = await payer(0);
    await nobody.client.post(`/v1/marketplace/apps/${appId}/install`, {});
    expect(await call(nobody, appId)).toMatchObject({
      status: 402,
      body: { code: 'wallet.insufficient', price: 20, balance: 0 },
    });
    expect(host.runs).toHaveLength(runs);
    expect(await walletOf(one)).toEqual({ balance: 19, held: 0, debt: 0 });
  });

  it('does not run while the wallet owes something', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const walletId = await platform.gateway.service.app.get(WalletsRepository).ensureWallet(one.user.id);
    const debit = { key: newId('owed'), amount: 150, kind: 'action_charge', shortfall: 'debt' } as const;
    await platform.gateway.service.app.get(LedgerService).debit(walletId, debit);
    expect(await call(one, appId)).toMatchObject({ status: 402, body: { code: 'wallet.in_debt' } });
  });

  it('counts as no call of the plan where it was refused for its price', async () => {
    const one = await payer(20);
    const { appId } = await pricedApp(PER_CALL, [one]);
    for (const status of [200, 402, 402]) expect((await call(one, appId)).status).toBe(status);
    expect(await toolCallsOf(one)).toEqual(['1']);
  });

  it('holds nothing where the plan has no call left for it', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect((await call(one, appId)).status).toBe(200);
    await query("UPDATE usage_counters SET used = 500 WHERE user_id = $1 AND meter = 'tool_calls'", [one.user.id]);
    const runs = host.runs.length;
    expect(await call(one, appId)).toMatchObject({ status: 429, body: { code: 'usage.limit_exceeded' } });
    expect(host.runs).toHaveLength(runs);
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
  });

  it('may be made again, and neither costs nor counts, where somebody else holds the counter for too long', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect((await call(one, appId)).status).toBe(200);
    const { calls } = platform.gateway.service.app.get(CallCountsService, { strict: false });
    const lock = await HeldLock.acquire(
      platform.gateway.service,
      'SELECT 1 FROM usage_counters WHERE user_id = $1 FOR UPDATE',
      [one.user.id],
    );
    await expectToWaitTooLong(one, appId, { batches: calls, lock, said: 'Nothing was counted' });
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
    expect(await call(one, appId)).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(await toolCallsOf(one)).toEqual(['2']);
  });

  it('may be made again, and neither runs nor counts, where somebody else holds the wallet for too long before it', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const { movements } = platform.gateway.service.app.get(LedgerService, { strict: false });
    await expectToWaitTooLong(one, appId, {
      batches: movements,
      lock: await lockWallet(one),
      said: 'Nothing was moved',
    });
    expect(await toolCallsOf(one)).toEqual([]);
    expect(await call(one, appId)).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
  });

  it('is answered, and charged afterwards, where somebody else holds the wallet for too long after it', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const { movements } = platform.gateway.service.app.get(LedgerService, { strict: false });
    const limit = jest.replaceProperty(movements, 'longestWaitMs', 50);
    let lock: HeldLock | undefined;
    host.answer = async () => {
      lock = await lockWallet(one);
      return SUCCESS;
    };
    try {
      expect(await call(one, appId)).toMatchObject({ status: 200, body: { status: 'success' } });
      expect(await walletOf(one)).toMatchObject({ balance: 100 });
    } finally {
      await lock?.release();
      limit.restore();
    }
    await until(async () => (await walletOf(one)).balance === 80);
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
  });

  it('keeps nothing of a user who is erased while it is under way', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const admin = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
    const outcomes = [SUCCESS, { ...SUCCESS, status: 'error', error: 'of Ada', error_code: 'NO' }] as const;
    let begun = 0;
    let erased = (): void => undefined;
    const isErased = new Promise<void>((resolve) => (erased = resolve));
    host.answer = async () => {
      const outcome = outcomes[begun++ % 2] as CallResponse;
      if (begun < 2) await isErased;
      else {
        expect((await admin.delete(`/v1/users/${one.user.id}?permanent=true`)).status).toBe(200);
        erased();
      }
      return outcome;
    };
    await Promise.all([call(one, appId), call(one, appId)]);
    expect(
      await query('SELECT user_id, status, error, details FROM actions WHERE app_id = $1 ORDER BY status', [appId]),
    ).toEqual([
      { user_id: null, status: 'error', error: null, details: {} },
      { user_id: null, status: 'success', error: null, details: {} },
    ]);
    expect(await walletOf(one)).toEqual({ balance: 0, held: 0, debt: 0 });
  });

  it('costs what counts now, where the job that makes it again had held another price', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const { app } = platform.gateway.service;
    const chargeKey = `fire:${newId('fir')}:0`;
    const ledger = app.get(LedgerService);
    const held = { id: chargeKey, amount: 90, seconds: 900 };
    expect(await ledger.reserve(await app.get(WalletsRepository).ensureWallet(one.user.id), held)).toMatchObject({
      outcome: 'done',
    });
    const user = await app.get(GatewayCredentialsService, { strict: false }).authenticateActingUser(one.user.id);
    const target = await app.get(CallTargetsService, { strict: false }).getTarget(user, appId);
    const { signal } = new AbortController();
    const origin = { via: 'automation', user, narrowing: null, tenantId: user.tenantId, signal, chargeKey } as const;
    const again = () =>
      app.get(FunctionCallsService, { strict: false }).callInSlot(target, { function: 'search', params: {} }, origin);
    for (const times of [1, 2]) expect([times, (await again()).status]).toEqual([times, 'success']);
    expect(await walletOf(one)).toEqual({ balance: 80, held: 0, debt: 0 });
    expect(await chargesOf(one)).toMatchObject([{ amount: -20, idem_key: chargeKey }]);
  });

  it('is an item of a batch that failed', async () => {
    const one = await payer(45);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const { status, body } = await batch(one, appId, ['search', 'free_one', 'search', 'search']);
    expect(status).toBe(200);
    expect(body.filter((answer) => answer.status === 'success')).toHaveLength(3);
    expect(body.find((answer) => answer.status === 'error')).toMatchObject({
      error_code: 'INSUFFICIENT_CREDITS',
      data: { price: 20 },
      retryable: false,
    });
    expect(await walletOf(one)).toEqual({ balance: 5, held: 0, debt: 0 });
  });

  it('runs as often as there are credits for it, of 100 at once', async () => {
    const one = await payer(40 * 20);
    const { appId } = await pricedApp(PER_CALL, [one]);
    const runs = host.runs.length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(one, appId)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(60);
    expect(host.runs).toHaveLength(runs + 40);
    expect(await walletOf(one)).toEqual({ balance: 0, held: 0, debt: 0 });
    expect(await chargesOf(one)).toHaveLength(40);
  });

  it('costs what counted at its start, and names that version of the prices', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    host.answer = async () => {
      await setPrices(platform.gateway, appId, { perCall: { search: 90 } });
      return SUCCESS;
    };
    await call(one, appId);
    expect(await chargesOf(one)).toMatchObject([{ amount: -20, price_version: 1 }]);
  });

  it('earns its developer nothing where it is paid with credits that were given', async () => {
    const one = await payer(10, { earns: false });
    await give(one.user.id, 0 + 11);
    const { appId } = await pricedApp({ perCall: { search: 10 } }, [one]);
    await call(one, appId);
    await call(one, appId);
    // With equal source and expiry, credits that do not earn are spent first.
    const charges = await chargesOf(one);
    expect(charges.map(({ earned_base, share }) => [earned_base, share])).toEqual([
      [0, 0],
      [10, 7],
    ]);
  });

  it('is free of one that is one\u2019s own, of one without a price, and of the system', async () => {
    const developer = await payer(0);
    await query('INSERT INTO developers (user_id, display_name) VALUES ($1, $2)', [developer.user.id, 'Ada']);
    const { appId } = await pricedApp(PER_CALL, [], { developer_id: developer.user.id });
    expect((await call(developer, appId)).body.status).toBe('success');
    const one = await payer(0);
    const other = await pricedApp(PER_CALL, [one]);
    expect((await call(one, other.appId, 'free_one')).body.status).toBe('success');
    expect((await call(one, 'developer', 'list_apps')).status).toBe(200);
    expect(await toolCallsOf(developer)).toEqual([]);
  });

  it('leaves alone what others have', async () => {
    const one = await payer(100);
    const other = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one, other]);
    const forOther = await one.client.post(`/v1/extensions/${appId}/call`, {
      user_id: other.user.id,
      function: 'search',
    });
    expect(forOther.status).toBe(403);
    await call(one, appId);
    expect(await walletOf(other)).toMatchObject({ balance: 100 });
  });
});

describe('the calls of a plan', () => {
  it('end where the plan ends, exactly, of 200 at once, with the time until there are more', async () => {
    const one = await payer(0);
    const { appId } = await pricedApp({}, [one]);
    await call(one, appId);
    await query("UPDATE usage_counters SET used = 450 WHERE user_id = $1 AND meter = 'tool_calls'", [one.user.id]);
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(one, appId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(150);
    expect(refused[0]).toMatchObject({ body: { code: 'usage.limit_exceeded' } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await batch(one, appId, ['search'])).toMatchObject({
      status: 200,
      body: [{ status: 'error', error_code: 'USAGE_LIMIT_EXCEEDED' }],
    });
  });
});

describe('an app that is paid by the month', () => {
  const BY_MONTH: TestPricing = { monthly: 50 };

  it('is paid by the first call of a month that succeeds, and not by the others', async () => {
    const one = await payer(120);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    failing();
    await call(one, appId);
    expect(await walletOf(one)).toMatchObject({ balance: 120, held: 0 });
    host.reset();
    for (const name of ['search', 'create', 'search'])
      expect((await call(one, appId, name)).body.status).toBe('success');
    expect(await walletOf(one)).toEqual({ balance: 70, held: 0, debt: 0 });
    expect(await chargesOf(one)).toMatchObject([
      { kind: 'app_subscription', amount: -50, share: 35, idem_key: `app:${one.user.id}:${appId}:1` },
    ]);
  });

  it('is paid once by 20 calls that begin it at once', async () => {
    const one = await payer(50 * 20);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(one, appId)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await walletOf(one)).toEqual({ balance: 950, held: 0, debt: 0 });
    expect(await chargesOf(one)).toHaveLength(1);
    expect(await recordedFor(one)).toBe(50);
  });

  it('is paid once where its price changes while two calls begin it, and neither is a charge that is lost', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    const letGo = holdRuns();
    const running = () => until(() => Promise.resolve(host.runs.filter(({ app_id }) => app_id === appId).length));
    const first = call(one, appId);
    await running();
    await setPrices(platform.gateway, appId, { monthly: 40 });
    const lost = await chargesLost();
    host.answer = () => SUCCESS;
    expect((await call(one, appId)).body.status).toBe('success');
    letGo();
    expect((await first).body.status).toBe('success');
    expect(await chargesOf(one)).toMatchObject([{ amount: -40, price_version: 2 }]);
    expect(await walletOf(one)).toEqual({ balance: 960, held: 0, debt: 0 });
    expect([await recordedFor(one), await chargesLost()]).toEqual([40, lost]);
  });

  it('goes on being paid where calls come to cost something, and then they are paid', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    await call(one, appId);
    await setPrices(platform.gateway, appId, PER_CALL);
    expect((await call(one, appId)).body.status).toBe('success');
    expect(await walletOf(one)).toMatchObject({ balance: 950 });
    await endMonth(appId);
    expect(await call(one, appId)).toMatchObject({
      status: 409,
      body: { code: 'extension.price_not_agreed', price: 20 },
    });
  });

  it('that was paid to the developer of another app of this id before is paid again', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    await call(one, appId);
    await query('UPDATE apps SET developer_id = $2 WHERE app_id = $1', [
      appId,
      await createDeveloper(platform.gateway),
    ]);
    expect((await call(one, appId)).body.status).toBe('success');
    expect((await chargesOf(one)).map(({ idem_key: key }) => key)).toEqual(
      [1, 2].map((n) => `app:${one.user.id}:${appId}:${n}`),
    );
  });

  it('is paid while somebody holds its user, and nobody else waits for that', async () => {
    const one = await payer(1_000);
    const other = await payer(1_000);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    const letGo = holdRuns();
    const runs = host.runs.length;
    const calls = Array.from({ length: 16 }, () => call(one, appId));
    await until(() => Promise.resolve(host.runs.length === runs + calls.length));
    const erasure = await HeldLock.acquire(platform.gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [
      one.user.id,
    ]);
    try {
      letGo();
      await until(async () => (await chargesOf(one)).length);
      expect((await other.client.get('/v1/billing/wallet')).status).toBe(200);
      expect(await chargesOf(one)).toHaveLength(1);
    } finally {
      await erasure.release();
    }
    expect((await Promise.all(calls)).map(({ body }) => body.status)).toEqual(calls.map(() => 'success'));
    expect(await walletOf(one)).toEqual({ balance: 950, held: 0, debt: 0 });
  });

  it('is paid again when the month is over, and not where the wallet has too little', async () => {
    const one = await payer(70);
    const { appId } = await pricedApp(BY_MONTH, [one]);
    await call(one, appId);
    await endMonth(appId);
    expect(await call(one, appId)).toMatchObject({ status: 402, body: { price: 50, balance: 20 } });
    await give(one.user.id, 30);
    expect((await call(one, appId)).body.status).toBe('success');
    expect((await chargesOf(one)).map(({ idem_key: key }) => key)).toEqual(
      [1, 2].map((n) => `app:${one.user.id}:${appId}:${n}`),
    );
  });
});

describe('a price that users have not agreed to', () => {
  const install = ({ client }: Payer, appId: string, shown: object = {}) =>
    client.post<InstallResult & Record<string, unknown>>(`/v1/marketplace/apps/${appId}/install`, shown);
  const mine = async ({ client }: Payer, appId: string) =>
    (await client.get<InstalledExtension[]>('/v1/me/extensions')).body.find(({ app_id }) => app_id === appId);
  const agreed = (appId: string) =>
    query('SELECT agreed_price_version AS agreed FROM installs WHERE app_id = $1', [appId]);
  const REFUSED = { status: 409, body: { code: 'extension.price_not_agreed' } };

  it('is not paid: of what was free, until they install it again', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp({}, [one]);
    expect((await call(one, appId)).body.status).toBe('success');
    await setPrices(platform.gateway, appId, PER_CALL);
    const runs = host.runs.length;
    expect(await call(one, appId)).toMatchObject({
      status: 409,
      body: {
        ...{ code: 'extension.price_not_agreed', price: 20, agreed_price: 0, price_version: 1 },
        detail: expect.stringContaining(`POST /v1/marketplace/apps/${appId}/install with {"price_version": 1}`),
      },
    });
    expect(host.runs).toHaveLength(runs);
    expect(await walletOf(one)).toEqual({ balance: 100, held: 0, debt: 0 });
    expect((await call(one, appId, 'free_one')).body.status).toBe('success');
    const price = {
      price_version: 1,
      pricing_model: 'per_action',
      tool_prices: { search: 20, create: 30, erase: 40 },
      monthly_price: null,
    };
    expect(await install(one, appId)).toMatchObject({ status: 200, body: { price, price_version: null } });
    expect(await call(one, appId)).toMatchObject(REFUSED);
    expect(await mine(one, appId)).toMatchObject({ price_version: 1, agreed_price_version: null });
    expect(await install(one, appId, { price_version: 1 })).toMatchObject({
      status: 200,
      body: { price, price_version: 1 },
    });
    expect(await mine(one, appId)).toMatchObject({ price_version: 1, agreed_price_version: 1 });
    expect((await call(one, appId)).body.status).toBe('success');
    expect(await walletOf(one)).toMatchObject({ balance: 80 });
    const consents =
      "SELECT after_state FROM gateway_audit.audit_entries WHERE action = 'app.price_agreed' AND target_id = $1";
    expect(await query(consents, [appId])).toEqual([{ after_state: { price_version: 1 } }]);
  });

  it('is what is higher than the one of then, or of a function that had none; a lower one is paid', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp(PER_CALL, [one]);
    await setPrices(platform.gateway, appId, { perCall: { search: 21, create: 29, free_one: 1 } });
    expect(await call(one, appId)).toMatchObject({ ...REFUSED, body: { price: 21, agreed_price: 20 } });
    expect(await call(one, appId, 'free_one')).toMatchObject({ ...REFUSED, body: { price: 1, agreed_price: 0 } });
    expect((await call(one, appId, 'create')).body.status).toBe('success');
    expect((await call(one, appId, 'erase')).body.status).toBe('success');
    await setPrices(platform.gateway, appId, PER_CALL);
    expect((await call(one, appId)).body.status).toBe('success');
    expect(await walletOf(one)).toMatchObject({ balance: 951 });
  });

  it('is one of another model, and of another month; a month that is paid goes on', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp({ monthly: 50 }, [one]);
    await call(one, appId);
    await setPrices(platform.gateway, appId, { monthly: 60 });
    expect((await call(one, appId)).body.status).toBe('success');
    await endMonth(appId);
    expect(await call(one, appId)).toMatchObject({ ...REFUSED, body: { price: 60, agreed_price: 50 } });
    await setPrices(platform.gateway, appId, PER_CALL);
    expect(await call(one, appId)).toMatchObject({ ...REFUSED, body: { price: 20, agreed_price: null } });
    expect((await call(one, appId, 'free_one')).body.status).toBe('success');
    expect(await walletOf(one)).toMatchObject({ balance: 950 });
  });

  it('is an item that failed of a batch, of operate and of another app', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp({}, [one]);
    const { appId: caller } = await pricedApp({}, [one]);
    await setPrices(platform.gateway, appId, PER_CALL);
    const failed = { status: 'error', error_code: 'PRICE_NOT_AGREED', retryable: false };
    const search = { ...failed, data: { price: 20, agreed_price: 0 } };
    expect(await batch(one, appId, ['search', 'free_one'])).toMatchObject({
      status: 200,
      body: [search, { status: 'success' }],
    });
    for (const name of ['search', 'erase']) {
      expect(await operate(one, appId, name)).toMatchObject({
        status: 200,
        body: { kind: 'tool_result', content: failed },
      });
    }
    const grant = await createRunGrant(platform.gateway.service, caller, { userId: one.user.id });
    const called = { grant, function: 'search', params: {} };
    expect(await platform.gateway.backend().post(`/v1/internal/extensions/${appId}/call`, called)).toMatchObject({
      body: search,
    });
    expect(await walletOf(one)).toEqual({ balance: 1_000, held: 0, debt: 0 });
  });

  it('is that of nothing for who has the app without having agreed to anything', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    await query('UPDATE installs SET agreed_price_version = NULL WHERE app_id = $1', [appId]);
    expect(await call(one, appId)).toMatchObject({ ...REFUSED, body: { price: 20, agreed_price: 0 } });
  });

  it('is agreed to anew by who removed the app and gets it again', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp({}, [one]);
    expect((await one.client.request('DELETE', `/v1/marketplace/apps/${appId}/install`)).status).toBe(200);
    await setPrices(platform.gateway, appId, PER_CALL);
    expect(await agreed(appId)).toEqual([{ agreed: null }]);
    expect(await install(one, appId)).toMatchObject({ status: 200, body: { price_version: 1 } });
    expect((await call(one, appId)).body.status).toBe('success');
    expect(await agreed(appId)).toEqual([{ agreed: 1 }]);
  });

  it('is not agreed to by what is installed at the Registry itself, until the user installs it with the price', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect((await one.client.request('DELETE', `/v1/marketplace/apps/${appId}/install`)).status).toBe(200);
    await platform.gateway.service.app.get(RegistryClient).install(one.user.id, appId);
    expect(await call(one, appId)).toMatchObject({
      ...REFUSED,
      body: { price: 20, agreed_price: 0, price_version: 1 },
    });
    expect(await agreed(appId)).toEqual([{ agreed: null }]);
    expect(await install(one, appId)).toMatchObject({ status: 200, body: { price_version: null } });
    expect(await call(one, appId)).toMatchObject(REFUSED);
    expect((await install(one, appId, { price_version: 1 })).status).toBe(200);
    expect((await call(one, appId)).body.status).toBe('success');
  });

  it('is not agreed to by what a role brings', async () => {
    const { appId } = await pricedApp(PER_CALL, []);
    const role = { name: 'priced-role', default_extensions: [appId] };
    expect((await platform.gateway.backend().post('/v1/roles', role)).status).toBe(201);
    const user = await platform.gateway.user({ role: role.name, scopes: ['extensions:read'] });
    const one = { user, client: platform.gateway.actingFor(user.id) };
    await give(user.id, 100);
    await platform.gateway.service.app.get(PlatformAppsService).installForNewUser(user.id);
    expect(await agreed(appId)).toEqual([{ agreed: null }]);
    expect(await call(one, appId)).toMatchObject({ ...REFUSED, body: { price: 20, agreed_price: 0 } });
    expect((await install(one, appId, { price_version: 1 })).body).toMatchObject({ price_version: 1 });
    expect((await call(one, appId)).body.status).toBe('success');
  });

  it('stays agreed to when the copy comes again, or came before the answer', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, []);
    const registry = platform.gateway.service.app.get(RegistryClient);
    const feed = platform.gateway.service.app.get(InstallFeedService);
    const first = registry.install.bind(registry);
    const raced = jest.spyOn(registry, 'install').mockImplementation(async (...args) => {
      const answer = await first(...args);
      await feed.copyChanges();
      return answer;
    });
    try {
      expect(await install(one, appId)).toMatchObject({ status: 200, body: { price_version: 1 } });
    } finally {
      raced.mockRestore();
    }
    await query('UPDATE install_feed SET revision = 0');
    await feed.copyChanges();
    expect(await agreed(appId)).toEqual([{ agreed: 1 }]);
    expect((await call(one, appId)).body.status).toBe('success');
  });

  it('is agreed to as it was shown, also where an install without it takes longer', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, []);
    const registry = platform.gateway.service.app.get(RegistryClient);
    const original = registry.install.bind(registry);
    let shown: Awaited<ReturnType<typeof install>> | undefined;
    const raced = jest.spyOn(registry, 'install').mockImplementationOnce(async (...args) => {
      const answer = await original(...args);
      await setPrices(platform.gateway, appId, { perCall: { search: 30 } });
      shown = await install(one, appId, { price_version: 2 });
      return answer;
    });
    try {
      expect(await install(one, appId)).toMatchObject({ status: 200, body: { price_version: 2 } });
    } finally {
      raced.mockRestore();
    }
    expect(shown).toMatchObject({ status: 200, body: { price_version: 2 } });
    expect(await agreed(appId)).toEqual([{ agreed: 2 }]);
  });

  it('is none for the developer of the app, whatever was shown', async () => {
    const { appId, developerId } = await pricedApp(PER_CALL, []);
    const client = platform.gateway.actingFor(developerId);
    for (const shown of [{}, { price_version: null }, { price_version: 1 }]) {
      const answer = await client.post<InstallResult>(`/v1/marketplace/apps/${appId}/install`, shown);
      expect(answer).toMatchObject({ status: 200, body: { price: null, price_version: null } });
    }
    expect(await agreed(appId)).toEqual([{ agreed: null }]);
  });

  it('is 409 where another was shown, and nothing is installed', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, []);
    const shown = async () =>
      (await one.client.get<MarketplaceAppDetail>(`/v1/marketplace/apps/${appId}`)).body.price_version;
    expect(await shown()).toBe(1);
    await setPrices(platform.gateway, appId, { monthly: 9_000 });
    const price = { price_version: 2, pricing_model: 'subscription', tool_prices: {}, monthly_price: 9_000 };
    // null: the app was shown as free.
    for (const price_version of [1, 3, null]) {
      expect(await install(one, appId, { price_version })).toMatchObject({
        status: 409,
        body: { code: 'extension.price_changed', price_version: 2, price },
      });
    }
    for (const price_version of ['2', 0, 1.5, true])
      expect((await install(one, appId, { price_version })).status).toBe(422);
    expect(await mine(one, appId)).toBeUndefined();
    expect(await shown()).toBe(2);
    expect(await install(one, appId, { price_version: 2 })).toMatchObject({
      status: 200,
      body: { price, price_version: 2 },
    });
    await setPrices(platform.gateway, appId, {});
    expect(await shown()).toBeNull();
    expect(await install(one, appId, { price_version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'extension.price_changed', price_version: null, price: null },
    });
    // Without a price the earlier agreement stays.
    expect(await install(one, appId)).toMatchObject({ status: 200, body: { price: null, price_version: 2 } });
  });
});

describe('operate', () => {
  const rule = (user: TestUser, enabled: boolean | null) =>
    platform.gateway.actingFor(user.id).patch('/v1/me/settings', { confirmation_enabled: enabled });
  const confirm = ({ client }: Payer, { body }: { body: OperateResponse }) =>
    client.post<ConfirmedResponse>(`/v1/confirmations/${String(body.confirmation_id)}/confirm`, {});

  it('asks before what costs something, says what, and charges no more than that', async () => {
    const one = await payer(1_000);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect((await rule(one.user, true)).status).toBe(200);
    // `search` only reads, but it has a price.
    const asked = await operate(one, appId, 'search');
    const summary = `${appId}: search (read, costs 20 credits)`;
    expect(asked.body).toMatchObject({
      kind: 'confirmation',
      summary,
      confirmation: { action_type: 'read', price: 20 },
    });
    await setPrices(platform.gateway, appId, { perCall: { search: 21 } });
    expect((await one.client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
    expect(await confirm(one, asked)).toMatchObject({
      status: 409,
      body: { code: 'confirmation.changed', price: 21, asked_price: 20 },
    });
    expect(await walletOf(one)).toMatchObject({ balance: 1_000, held: 0 });
    await setPrices(platform.gateway, appId, { perCall: { search: 5 } });
    expect(await confirm(one, asked)).toMatchObject({ status: 200, body: { result: { status: 'success' } } });
    expect(await walletOf(one)).toMatchObject({ balance: 995, held: 0 });
    expect((await operate(one, appId, 'free_one')).body.kind).toBe('tool_result');
  });

  it('asks before the call that pays a month, and not before the others', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp({ monthly: 50 }, [one]);
    await rule(one.user, true);
    const asked = await operate(one, appId, 'search');
    expect(asked.body).toMatchObject({ kind: 'confirmation', confirmation: { price: 50 } });
    expect((await confirm(one, asked)).status).toBe(200);
    expect((await operate(one, appId, 'search')).body.kind).toBe('tool_result');
    expect(await walletOf(one)).toMatchObject({ balance: 50 });
  });

  it('does not ask before a paid read where the user does not want to be asked', async () => {
    const one = await payer(100);
    const { appId } = await pricedApp(PER_CALL, [one]);
    await rule(one.user, false);
    expect((await operate(one, appId, 'search')).body).toMatchObject({
      kind: 'tool_result',
      content: { status: 'success' },
    });
    expect(await walletOf(one)).toMatchObject({ balance: 80 });
  });

  it('asks nobody to confirm what cannot be paid', async () => {
    const one = await payer(39);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect(await operate(one, appId, 'erase')).toMatchObject({
      status: 200,
      body: {
        kind: 'tool_result',
        content: { status: 'error', error_code: 'INSUFFICIENT_CREDITS', data: { price: 40, balance: 39 } },
      },
    });
    await give(one.user.id, 1);
    const asked = await operate(one, appId, 'erase');
    expect(asked).toMatchObject({ status: 200, body: { kind: 'confirmation' } });
    expect(await walletOf(one)).toMatchObject({ balance: 40, held: 0 });
    const { confirmation_id: id } = asked.body as { confirmation_id: string };
    expect((await one.client.post(`/v1/confirmations/${id}/confirm`, {})).status).toBe(200);
    expect(await walletOf(one)).toEqual({ balance: 0, held: 0, debt: 0 });
  });
});

describe('what apps spend for somebody', () => {
  /** A call of an app by the run of another app that the user has installed. */
  const through = async (caller: string, called: string, user: TestUser, changes: Partial<RunGrant> = {}) =>
    platform.gateway.backend().post<CallResponse>(`/v1/internal/extensions/${called}/call`, {
      grant: await createRunGrant(platform.gateway.service, caller, { userId: user.id, ...changes }),
      function: 'search',
      params: {},
    });
  const twoApps = async (one: Payer) => {
    const { appId: caller } = await pricedApp({}, [one]);
    const { appId: called } = await pricedApp({ perCall: { search: 600 } }, [one]);
    return { caller, called };
  };
  const limits = ({ client }: Payer, body: object) => client.put('/v1/me/spending', body);

  it('is 1,000 credits a month where the user is there, until they say otherwise', async () => {
    const one = await payer(10_000);
    const { caller, called } = await twoApps(one);
    expect((await through(caller, called, one.user)).body).toMatchObject({ status: 'success' });
    expect((await through(caller, called, one.user)).body).toMatchObject({
      error_code: 'SPENDING_LIMIT_REACHED',
      data: { price: 600, left: 400 },
    });
    expect((await limits(one, { other_apps_limit: 1_200 })).status).toBe(200);
    expect((await through(caller, called, one.user)).body.status).toBe('success');
    expect(await walletOf(one)).toEqual({ balance: 8_800, held: 0, debt: 0 });
  });

  it('does not count what failed', async () => {
    const one = await payer(10_000);
    const { caller, called } = await twoApps(one);
    failing();
    for (let times = 0; times < 3; times++) await through(caller, called, one.user);
    host.reset();
    expect((await through(caller, called, one.user)).body.status).toBe('success');
  });

  it.each(['schedule', 'event', 'webhook'] as const)(
    'is nothing in a run of a %s, unless the user allows it',
    async (kind) => {
      const one = await payer(10_000);
      const { caller, called } = await twoApps(one);
      const run = { kind, unattended: true as const };
      expect((await through(caller, called, one.user, run)).body).toMatchObject({
        error_code: 'SPENDING_LIMIT_REACHED',
        data: { left: 0 },
      });
      await limits(one, { unattended_limit: 600 });
      expect((await through(caller, called, one.user, run)).body.status).toBe('success');
      expect((await through(caller, called, one.user, run)).body).toMatchObject({
        error_code: 'SPENDING_LIMIT_REACHED',
      });
      expect(await walletOf(one)).toMatchObject({ balance: 9_400 });
    },
  );

  it('is nothing either in what such a run leads to', async () => {
    const one = await payer(10_000);
    const { caller, called } = await twoApps(one);
    const { called: next } = await twoApps(one);
    const answers: CallResponse[] = [];
    host.answer = async ({ app_id, grant }) => {
      if (app_id !== called) return SUCCESS;
      const body = { grant, function: 'search', params: {} };
      answers.push(
        (await platform.gateway.backend().post<CallResponse>(`/v1/internal/extensions/${next}/call`, body)).body,
      );
      return SUCCESS;
    };
    await limits(one, { unattended_limit: 1_100 });
    expect((await through(caller, called, one.user, { kind: 'schedule', unattended: true })).body).toMatchObject({
      status: 'success',
    });
    expect(answers).toMatchObject([{ error_code: 'SPENDING_LIMIT_REACHED', data: { price: 600, left: 500 } }]);
    expect(await walletOf(one)).toMatchObject({ balance: 9_400 });
  });

  it('is nothing of an app that calls itself', async () => {
    const one = await payer(0);
    const { appId } = await pricedApp(PER_CALL, [one]);
    expect((await through(appId, appId, one.user)).body).toMatchObject({ error: null });
  });

  it('is nothing of a run of no user', async () => {
    const developer_id = await createDeveloper(platform.gateway);
    const { app_id: caller } = await createApp(platform.gateway, { developer_id, tools: TOOLS, document: {} });
    const { app_id: called } = await createApp(platform.gateway, { developer_id, tools: TOOLS, document: {} });
    await setPrices(platform.gateway, called, PER_CALL);
    const answer = await platform.gateway.backend().post<CallResponse>(`/v1/internal/extensions/${called}/call`, {
      grant: await createRunGrant(platform.gateway.service, caller, { kind: 'schedule' }),
      function: 'search',
      params: {},
    });
    expect(answer.body.status).toBe('success');
  });
});
