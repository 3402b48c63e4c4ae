import { createPlatformClient } from '@platform/client';
import { awaitDecision } from './await-decision.js';
import { challengeOf, newVerifier } from '@platform/client/pkce';

const AUTHORIZATION = {
  device_code: 'device',
  user_code: 'BCDF-GHJK',
  verification_uri: 'http://panel/device',
  verification_uri_complete: 'http://panel/device?code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};
const TOKENS = { access_token: 'a', refresh_token: 'r', expires_in: 900, token_type: 'bearer' };
const pending = (interval = 5) => Response.json({ error: 'authorization_pending', interval });
const slowDown = (interval: number) => Response.json({ error: 'slow_down', interval });
const refused = (error: string) => Response.json({ error, detail: 'x', code: error, request_id: 'r' }, { status: 400 });

let pauses: number[];
let troubles: (string | undefined)[];
let polls: string[];

beforeEach(() => {
  pauses = [];
  troubles = [];
  polls = [];
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Polls a platform with these answers; the last one repeats. Undefined: no answer. */
function login(...answers: (Response | undefined)[]) {
  let next = 0;
  const client = createPlatformClient({
    baseUrl: 'http://platform',
    fetch: async (request) => {
      polls.push(await request.text());
      const answer = answers[Math.min(next++, answers.length - 1)];
      if (!answer) throw new TypeError('fetch failed', { cause: new Error('gone') });
      return answer.clone();
    },
  });
  const pause = (ms: number): Promise<void> => {
    pauses.push(ms / 1000);
    jest.setSystemTime(Date.now() + ms);
    return Promise.resolve();
  };
  return awaitDecision({
    client,
    authorization: AUTHORIZATION,
    verifier: 'v',
    pause,
    onTrouble: (text) => troubles.push(text),
  });
}

it('polls at the interval until somebody decides', async () => {
  await expect(login(pending(), pending(), Response.json(TOKENS))).resolves.toEqual(TOKENS);
  expect(pauses).toEqual([5, 5, 5]);
  expect(polls[0]).toBe('{"device_code":"device","code_verifier":"v"}');
});

it('slows down by five seconds, or by more when the platform says so', async () => {
  await login(slowDown(5), slowDown(20), pending(20), Response.json(TOKENS));
  expect(pauses).toEqual([5, 10, 20, 20]);
});

it.each([
  ['access_denied', 'The login was declined.'],
  ['expired_token', 'The code expired before it was confirmed. Run the command again.'],
  ['invalid_grant', 'The platform no longer knows this login. Run the command again.'],
])('ends with %s', async (error, message) => {
  await expect(login(pending(), refused(error))).rejects.toMatchObject({ message, exitCode: 1 });
});

it('ends with what else the platform refuses', async () => {
  const forbidden = Response.json({ detail: 'No.', code: 'no', request_id: 'r' }, { status: 403 });
  await expect(login(forbidden)).rejects.toMatchObject({ name: 'ApiError', message: 'No.' });
});

it('goes on while the platform is away, less and less often', async () => {
  const busy = Response.json({ detail: 'Busy.', code: 'unavailable', request_id: 'r' }, { status: 503 });
  await login(undefined, busy, undefined, undefined, pending(), Response.json(TOKENS));
  expect(pauses).toEqual([5, 10, 20, 30, 30, 5]);
  const away = 'http://platform cannot be reached (gone).';
  expect(troubles).toEqual([away, 'Busy.', away, away, undefined]);
});

it('gives up when the code has expired and the platform is still away', async () => {
  await expect(login(undefined)).rejects.toThrow('http://platform cannot be reached (gone).');
  expect(Date.now()).toBeGreaterThanOrEqual(600_000);
});

it('gives up when the code has expired and the platform does not say so', async () => {
  await expect(login(pending())).rejects.toThrow('The code expired');
  expect(Date.now()).toBe(600_000);
});

it('has a verifier of 64 characters and its S256 challenge', () => {
  expect(newVerifier()).toMatch(/^[\w-]{64}$/);
  expect(newVerifier()).not.toBe(newVerifier());
  // RFC 7636 appendix B
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});
