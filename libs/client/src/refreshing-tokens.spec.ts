import { call } from './call.js';
import { createPlatformClient, type PlatformClient } from './client.js';
import { RefreshingTokens } from './refreshing-tokens.js';
import { ScriptedServer } from './testing/scripted-server.js';
import type { Tokens, TokenStore } from './token-store.js';

/** Storage that several processes share. Each RefreshingTokens stands for one process. */
class SharedStore implements TokenStore {
  saves = 0;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(public tokens: Tokens | undefined) {}

  load(): Promise<Tokens | undefined> {
    return Promise.resolve(this.tokens);
  }

  save(tokens: Tokens): Promise<void> {
    this.saves++;
    this.tokens = tokens;
    return Promise.resolve();
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

let server: ScriptedServer;
let rotations: number;
let pauses: number[];

beforeAll(async () => {
  server = await ScriptedServer.start();
});
beforeEach(() => {
  server.requests.length = 0;
  rotations = 0;
  pauses = [];
  server.script = ({ body, headers, path }, response) => {
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/v1/auth/me')
      return headers.authorization === `Bearer access-${rotations}` ? json(200, { email: 'a@x.io' }) : json(401, {});
    if ((JSON.parse(body) as { refresh_token: string }).refresh_token !== `refresh-${rotations}`) return json(401, {});
    rotations++;
    return json(200, {
      access_token: `access-${rotations}`,
      refresh_token: `refresh-${rotations}`,
      expires_in: 900,
      token_type: 'bearer',
    });
  };
});
afterAll(() => server.stop());

const stored = (seconds: number, at = 0): Tokens => ({
  accessToken: `access-${at}`,
  refreshToken: `refresh-${at}`,
  expiresAt: Date.now() + seconds * 1000,
});

const anonymous = (): PlatformClient => createPlatformClient({ baseUrl: server.url });
const pause = (ms: number): Promise<void> => {
  pauses.push(ms);
  return Promise.resolve();
};
const tokensOf = (store: TokenStore) => new RefreshingTokens({ store, client: anonymous(), pause });
const me = (store: TokenStore) =>
  call(createPlatformClient({ baseUrl: server.url, tokens: tokensOf(store) }).GET('/v1/auth/me'));

describe('the access token', () => {
  it('is used while it is good for more than a minute', async () => {
    await expect(tokensOf(new SharedStore(stored(62))).current()).resolves.toBe('access-0');
    expect(server.requests).toEqual([]);
  });

  it('is refreshed a minute before it expires, and stored', async () => {
    const store = new SharedStore(stored(58));
    await expect(tokensOf(store).current()).resolves.toBe('access-1');
    expect(store.tokens).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect((store.tokens?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(890_000);
  });

  it('is refreshed once for many callers in many processes', async () => {
    const store = new SharedStore(stored(0));
    const [one, other] = [tokensOf(store), tokensOf(store)];
    const answers = await Promise.all([one, one, other, one, other, tokensOf(store)].map((tokens) => tokens.current()));
    expect([new Set(answers), rotations, store.saves]).toEqual([new Set(['access-1']), 1, 1]);
  });

  it('is renewed when the platform refuses it, and the request sent again with its body', async () => {
    rotations = 3; // simulates a token that was replaced long before it expired
    const store = new SharedStore({ ...stored(600), refreshToken: 'refresh-3' });
    await expect(me(store)).resolves.toEqual({ email: 'a@x.io' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/auth/me', '/v1/auth/refresh', '/v1/auth/me']);
  });

  it('is taken from the store when another process has renewed it meanwhile', async () => {
    rotations = 1;
    const store = new SharedStore(stored(600, 1));
    await expect(tokensOf(store).renew('access-0')).resolves.toBe('access-1');
    expect(server.requests).toEqual([]);
  });
});

describe('a failing refresh', () => {
  it('is tried again while it may pass, no sooner than the platform asks', async () => {
    const works = server.script;
    const json = { detail: 'Busy.', code: 'unavailable', request_id: 'r' };
    server.answer({ status: 503, json }, { status: 429, json, headers: { 'Retry-After': '3' } });
    const store = new SharedStore(stored(0));
    const tokens = new RefreshingTokens({
      store,
      client: anonymous(),
      pause: (ms) => {
        if (pauses.push(ms) === 2) server.script = works;
        return Promise.resolve();
      },
    });
    await expect(tokens.current()).resolves.toBe('access-1');
    expect(pauses[0]).toBeGreaterThanOrEqual(500);
    expect(pauses[1]).toBeGreaterThanOrEqual(3000);
  });

  it.each([408, 429, 500, 503])('with %i does not end the session', async (status) => {
    server.answer({ status, json: {} });
    const store = new SharedStore(stored(0));
    await expect(tokensOf(store).current()).rejects.toMatchObject({ name: 'ApiError', status });
    expect([server.requests.length, store.tokens?.refreshToken]).toEqual([4, 'refresh-0']);
  });

  it('does not keep anyone waiting for minutes', async () => {
    server.answer({ status: 429, json: {}, headers: { 'Retry-After': '120' } });
    await expect(tokensOf(new SharedStore(stored(0))).current()).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 120,
    });
    expect(pauses).toEqual([]);
  });

  it('leaves the access token in use for its last minute', async () => {
    server.answer({ status: 503, json: {} });
    await expect(tokensOf(new SharedStore(stored(30))).current()).resolves.toBe('access-0');
  });

  it('with 401 ends the session', async () => {
    server.answer({ status: 401, json: {} });
    await expect(tokensOf(new SharedStore(stored(30))).current()).rejects.toMatchObject({
      name: 'SignedOutError',
      reason: 'session_ended',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('with 401 is repeated once when the token was replaced meanwhile', async () => {
    rotations = 5;
    const works = server.script;
    const store = new SharedStore(stored(0));
    server.script = (_request, response) => {
      store.tokens = stored(0, 5);
      server.script = works;
      response.writeHead(401).end();
    };
    await expect(tokensOf(store).current()).resolves.toBe('access-6');
  });

  it('fails a call with the reason, not with the 401 of the call', async () => {
    rotations = 3;
    await expect(me(new SharedStore(stored(600)))).rejects.toMatchObject({ name: 'SignedOutError' });
  });
});

describe('what another process did while a refresh was under way', () => {
  const during = (change: (store: SharedStore) => void): SharedStore => {
    const store = new SharedStore(stored(0));
    const works = server.script;
    server.script = (request, response) => {
      change(store);
      works(request, response);
    };
    return store;
  };

  it('a new login is not overwritten', async () => {
    const store = during((shared) => (shared.tokens = stored(900, 7)));
    await expect(tokensOf(store).current()).resolves.toBe('access-7');
    expect(store.tokens).toMatchObject({ refreshToken: 'refresh-7' });
  });

  it('a logout is not undone', async () => {
    const store = during((shared) => (shared.tokens = undefined));
    await expect(tokensOf(store).current()).rejects.toMatchObject({ name: 'SignedOutError', reason: 'no_tokens' });
    expect(store.tokens).toBeUndefined();
  });
});
