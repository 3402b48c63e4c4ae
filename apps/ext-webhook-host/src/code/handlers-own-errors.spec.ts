import type { AppLogsResponse } from '@platform/contracts';
import { RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { LocalServer, until } from '@platform/testing';
import { codeFunction } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';

/** Errors in a handler name their cause, and contain no part of a secret. */
let host: HostTest;
let elsewhere: LocalServer;
beforeAll(async () => {
  elsewhere = await LocalServer.start((request, response) => {
    const depth = Number(request.url?.slice(1));
    response.setHeader('Content-Type', 'application/json');
    response.end('['.repeat(depth) + ']'.repeat(depth));
  });
  host = await HostTest.start({ EGRESS_ALLOW: `127.0.0.1:${elsewhere.port}` });
});
afterAll(async () => {
  await host.stop();
  await elsewhere.stop();
});

const ANY = { params_schema: { type: 'object' } };

/** Runs the body as a function, and as a function that another function of the app calls. */
async function failures(body: string): Promise<[code: string | null, message: string | null][]> {
  const main = `
    export const f = async (_event, ctx) => { ${body.replaceAll('URL', `http://127.0.0.1:${elsewhere.port}`)} };
    export const outer = (_event, ctx) => ctx.extensions.call(ctx.app.app_id, 'f', {});`;
  const app = host.deploy({ modules: { main }, steps: [codeFunction('f', ANY), codeFunction('outer', ANY)] });
  const answers = [await host.runFunction(app, { function: 'f' }), await host.runFunction(app, { function: 'outer' })];
  return answers.map(({ body: { error_code, error } }) => [error_code, error]);
}

describe('what a handler gives that is no JSON', () => {
  it.each<[string, string, string]>([
    ['return { a: { toJSON() { throw new Error("mine"); } } }', 'RESULT_INVALID', 'The result is not valid JSON: mine'],
    ['return { toJSON() {} }', 'RESULT_INVALID', 'The result is not valid JSON: The toJSON of "0" returns nothing.'],
    [
      'return { a: { toJSON() {} } }',
      'RESULT_INVALID',
      'The result is not valid JSON: The toJSON of "a" returns nothing.',
    ],
    [
      'Array.prototype.toJSON = () => undefined; return 1',
      'RESULT_INVALID',
      'The result is not valid JSON: The toJSON of "" returns nothing.',
    ],
    [
      'Object.prototype.toJSON = () => { throw new Error("mine"); }; return {}',
      'RESULT_INVALID',
      'The result is not valid JSON: mine',
    ],
    ['Object.prototype.toJSON = () => undefined; throw new Error("mine")', 'HANDLER_FAILED', 'mine'],
    [
      'Object.prototype.toJSON = () => { throw 1; }; throw Object.assign(new Error("mine"), { code: "MINE" })',
      'MINE',
      'mine',
    ],
    [
      'await ctx.store.create("notes", { toJSON() { throw new Error("mine"); } })',
      'JSON_INVALID',
      'The arguments are not valid JSON: mine',
    ],
    [
      'await ctx.store.create("notes", { toJSON() {} })',
      'JSON_INVALID',
      'The arguments are not valid JSON: The toJSON of "1" returns nothing.',
    ],
    [
      'Array.prototype.toJSON = () => undefined; ctx.log("x"); await ctx.store.create("notes", {})',
      'JSON_INVALID',
      'The arguments are not valid JSON: The toJSON of "" returns nothing.',
    ],
  ])('fails with its own words: %s', async (body, code, message) => {
    expect(await failures(body)).toEqual([
      [code, message],
      [code, message],
    ]);
  });
});

describe('an answer that is nested too deep', () => {
  it.each([65, 5_000, 100_000])('is an error of the call, which the handler can catch: %s levels', async (depth) => {
    const expected = ['ANSWER_TOO_DEEP', 'The answer of ctx.http.get is nested deeper than 64 levels.'];
    expect(await failures(`await ctx.http.get('URL/${depth}')`)).toEqual([expected, expected]);
    const caught = `try { await ctx.http.get('URL/${depth}'); } catch ({ code }) { throw new Error('caught ' + code); }`;
    expect((await failures(caught))[0]).toEqual(['HANDLER_FAILED', 'caught ANSWER_TOO_DEEP']);
  });

  it('is one of 65 levels and more', async () => {
    expect(await failures(`await ctx.http.get('URL/60')`)).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

describe('an ill-formed argument', () => {
  it.each<[string, string, string]>([
    [
      `ctx.extensions.call('\\ud800', 'f')`,
      'EXTENSION_NOT_FOUND',
      'There is no such extension, or it is not installed.',
    ],
    [`ctx.extensions.call('..', 'f')`, 'EXTENSION_NOT_FOUND', 'There is no such extension, or it is not installed.'],
    [
      `ctx.http.post('URL/1', { body: 5 })`,
      'EGRESS_REQUEST_REFUSED',
      'The body must be a string or bytes. Pass a value that is to be sent as JSON as json.',
    ],
    [
      `ctx.http.post('URL/1', { body: { a: 1 } })`,
      'EGRESS_REQUEST_REFUSED',
      'The body must be a string or bytes. Pass a value that is to be sent as JSON as json.',
    ],
    [`ctx.store.query('a', { orderBy: {} })`, 'STORE_ORDER_INVALID', expect.any(String) as string],
    [
      `ctx.store.create('a', { a: '\\ud800' })`,
      'JSON_INVALID',
      'The value at $.a has a NUL character or a lone surrogate.',
    ],
  ])('is refused in words that say what is wrong, also in a nested call: %s', async (call, code, message) => {
    expect(await failures(`await ${call}`)).toEqual([
      [code, message],
      [code, message],
    ]);
  });
});

describe('a secret that would be cut', () => {
  const SECRET = `sk_${'0123456789abcdef'.repeat(40)}`;
  const LINES = Array.from({ length: 40 }, (_, at) => `line ${at} of the key`).join('\n');
  const HALVES = [SECRET.slice(0, 8), 'line 0 of the key', 'line 5 of the key'];

  /**
   * Answer, log and notifications of an app whose function runs this body with the secret `key`.
   */
  async function leftBy(body: string, secret = SECRET): Promise<{ answer: string; log: string; notified: string }> {
    const main = `export const f = async (_event, ctx) => { const key = await ctx.secrets.get('key'); ${body} };
      export const g = () => 1;`;
    const strict = { params_schema: { type: 'object', properties: {}, additionalProperties: false } };
    const steps = [codeFunction('f', ANY), codeFunction('g', strict)];
    const app = host.deploy({ modules: { main }, secrets: [{ name: 'key', scope: 'app' }], steps });
    const path = `/v1/internal/apps/${app.app_id}`;
    expect((await host.backend().put(`${path}/secrets/key?scope=app`, { value: secret })).status).toBe(204);
    const { body: answer } = await host.runFunction(app, { function: 'f' });
    const log = await until(async () => {
      const { items } = (await host.backend().get<AppLogsResponse>(`${path}/logs?limit=100&wait_seconds=0`)).body;
      return items.length ? items : null;
    });
    const notified = host.gateway.notifications.filter(({ app_id }) => app_id === app.app_id);
    return {
      answer: JSON.stringify(answer),
      log: log.map(({ message }) => message).join('\n'),
      notified: JSON.stringify(notified),
    };
  }

  const filled = (length: number) => `'x'.repeat(${length})`;
  it.each<[what: string, body: string, secret: string]>([
    ['the message of an error', `throw new Error(${filled(1_900)} + key)`, SECRET],
    ['a message that the sandbox has cut already', `throw new Error(${filled(32_500)} + key)`, SECRET],
    ['one that is short again without its secrets', `throw new Error(key.repeat(51) + key)`, SECRET],
    ['a stack', `throw Object.assign(new Error('x'), { stack: ${filled(8_100)} + key })`, SECRET],
    [
      'a stack that the sandbox has cut already',
      `throw Object.assign(new Error('x'), { stack: ${filled(32_500)} + key })`,
      SECRET,
    ],
    ['a stack of too many lines', `throw Object.assign(new Error('x'), { stack: key })`, LINES],
    ['why a result is none', `return { toJSON() { throw new Error(${filled(1_900)} + key); } }`, SECRET],
    ['a line of the log', `ctx.log(${filled(RUN_LIMITS.function.logLineBytes - 100)} + key)`, SECRET],
    ['a line of the console', `console.error(${filled(RUN_LIMITS.function.logLineBytes - 100)}, key)`, SECRET],
    ['a key of params', `await ctx.extensions.call(ctx.app.app_id, 'g', { [key]: 1 })`, SECRET],
    ['a place in a value', `ctx.log('x'); await ctx.store.create('a', { [${filled(150)} + key]: '\\ud800' })`, SECRET],
  ])('leaves no half of it in %s', async (_what, body, secret) => {
    const { answer, log } = await leftBy(body, secret);
    for (const half of HALVES) expect(answer + log).not.toContain(half);
  });

  it('is blacked out in what a user is notified of', async () => {
    const { notified } = await leftBy(
      `ctx.log('x'); await ctx.notify.send({ message: 'It is ' + key, subject: key, body: key + '.' })`,
    );
    expect(JSON.parse(notified)).toMatchObject([
      { message: 'It is [secret key]', subject: '[secret key]', body: '[secret key].' },
    ]);
  });

  it('is named where it stood', async () => {
    const { answer } = await leftBy(`throw new Error('The key is ' + key)`);
    expect(answer).toContain('The key is [secret key]');
  });
});
