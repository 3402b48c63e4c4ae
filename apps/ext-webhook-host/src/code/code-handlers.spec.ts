import type { JsonValue } from '@platform/app-document';
import type { SmokeTestResponse } from '@platform/contracts';
import { LocalServer, until } from '@platform/testing';
import { build } from 'esbuild';
import { DeployedAppsService } from '../kernel/deployed/deployed-apps.service.js';
import { codeFunction, deployCode, runCode } from '../testing/code-apps.js';
import { HostTest, functionOf, step, userNamed } from '../testing/host.js';
import { ADA } from '../testing/step-runs.js';

let host: HostTest;
let outside: LocalServer;
beforeAll(async () => {
  outside = await LocalServer.start((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', request.url === '/json' ? 'application/json' : 'application/octet-stream');
      response.end(request.url === '/json' ? '{"a":[1]}' : Buffer.concat(chunks));
    });
  });
  host = await HostTest.start({ EGRESS_ALLOW: `127.0.0.1:${outside.port}` });
});
afterAll(async () => {
  await host.stop();
  await outside.stop();
});

const f = (body: string): string => `export async function f(event, ctx) { ${body} }`;
const data = async (body: string, options?: Parameters<typeof runCode>[2]): Promise<JsonValue> => {
  const answer = await runCode(host, f(body), options);
  expect(answer).toMatchObject({ status: 'success', error: null });
  return answer.data as JsonValue;
};
const lines = (appId: string) =>
  host.service.query<{ level: string; message: string }>(
    'SELECT level, message FROM app_logs WHERE app_id = $1 ORDER BY id',
    [appId],
  );

describe('a handler in JavaScript', () => {
  it('is what a module exports, and may be of several modules', async () => {
    const app = host.deploy({
      modules: {
        main: 'import add, { double } from "./sums.js"; export default (event) => add(event.a, double(1)); export const named = async () => "named"',
        sums: { source: 'export default (a, b) => a + b; export const double = (a) => a * 2' },
      },
      steps: [codeFunction('one', { code: { module: 'main' } }), codeFunction('named')],
    });
    expect((await host.runFunction(app, { function: 'one', params: { a: 1 } })).body).toMatchObject({
      status: 'success',
      data: 3,
      summary: null,
    });
    expect((await host.runFunction(app, { function: 'named' })).body.data).toBe('named');
  });

  it('gives its data, or a result with a summary and something to draw', async () => {
    const result = 'const result = (parts) => ({ [Symbol.for("platform.result")]: true, ...parts });';
    expect(
      await runCode(host, f(`${result} return result({ data: [1], summary: "One.", ui: { type: "text" } })`)),
    ).toMatchObject({
      data: [1],
      summary: 'One.',
      ui: { type: 'text' },
    });
    expect(await runCode(host, f('return { data: 1, summary: "s", $result: {} }'))).toMatchObject({
      data: { data: 1, summary: 's', $result: {} },
      summary: null,
    });
    expect(await data('')).toBeNull();
  });

  it('fails with its own code, or as one that failed', async () => {
    expect(
      await runCode(host, f('throw Object.assign(new Error("Not now."), { code: "NOT_NOW", retryable: true })')),
    ).toEqual({
      ...{ status: 'error', data: null, summary: null, ui: null },
      ...{ error: 'Not now.', error_code: 'NOT_NOW', retryable: true },
    });
    expect(
      await runCode(host, f('throw new ExtensionError("NO_MILK", "No milk.", { details: { left: 0 } })')),
    ).toMatchObject({
      error_code: 'NO_MILK',
      retryable: false,
    });
    expect(await runCode(host, f('return event.a.b'))).toMatchObject({
      error_code: 'HANDLER_FAILED',
      error: "TypeError: cannot read property 'b' of undefined",
    });
    expect(await runCode(host, 'throw new Error("at once"); export const f = () => 1')).toMatchObject({
      error: 'at once',
    });
  });

  it('shows its developer, and nobody else, the line of the file that failed', async () => {
    const source = [
      'interface Note { text: string }',
      '',
      'const lengthOf = (note: Note): number => note.text.length;',
      'export async function f(_event: unknown, ctx: { store: any }): Promise<number> {',
      '  const note = await ctx.store.get("notes", "none");',
      '  return lengthOf(note as Note);',
      '}',
      'export const stores = async (_event: unknown, ctx: any) =>',
      '  ctx.store.update("notes", "none", {});',
    ].join('\n');
    const { outputFiles } = await build({
      stdin: { contents: source, loader: 'ts', sourcefile: 'src/notes.ts' },
      ...{
        write: false,
        bundle: true,
        format: 'esm',
        minifyWhitespace: true,
        minifySyntax: true,
        sourcemap: 'external',
        outfile: 'main.js',
      },
    });
    const [map, code] = outputFiles.map(({ text }) => text);
    const app = host.deploy({
      modules: { main: { source: code ?? '', source_map: map ?? '' } },
      steps: [codeFunction('f'), codeFunction('stores')],
    });
    const { body } = await host.runFunction(app, { function: 'f' });
    expect(JSON.stringify(body)).not.toContain('notes.ts');
    const [line] = await until(async () => {
      const found = await lines(app.app_id);
      return found.length ? found : null;
    });
    expect(line?.message).toMatch(
      /^HANDLER_FAILED: TypeError: cannot read property 'text' of null\n +at lengthOf \(src\/notes\.ts:3:4\d\)\n +at f \(src\/notes\.ts:6:10\)$/,
    );
  });
});

describe('its context', () => {
  it('logs with the id of its own request', async () => {
    const app = deployCode(host, f('console.log(event.n)'));
    const answers = await Promise.all(
      ['1', '2', '3'].map((n) => host.runFunction(app, { function: 'f', params: { n } })),
    );
    const logged = await until(async () => {
      const rows = await host.service.query('SELECT request_id FROM app_logs WHERE app_id = $1 ORDER BY message', [
        app.app_id,
      ]);
      return rows.length === answers.length ? rows : null;
    });
    expect(logged).toEqual(answers.map(({ headers }) => ({ request_id: headers.get('x-request-id') })));
  });

  it('keeps documents, of the user alone', async () => {
    const app = deployCode(
      host,
      f(`const note = await ctx.store.create("notes", { text: event.text });
         const changed = await ctx.store.update("notes", note.id, { done: true }, note.etag);
         const stale = await ctx.store.update("notes", note.id, {}, note.etag).catch(({ code, name }) => [code, name]);
         return { text: changed.data.text, stale, count: await ctx.store.count("notes"), none: await ctx.store.get("notes", "none") }`),
    );
    const run = async (user: string) =>
      (await host.runFunction(app, { function: 'f', params: { text: 'milk' }, user: userNamed(user) })).body.data;
    expect(await run('usr_1')).toEqual({
      text: 'milk',
      stale: ['STORE_CONFLICT', 'ExtensionError'],
      count: 1,
      none: null,
    });
    expect(await run('usr_1')).toMatchObject({ count: 2 });
    expect(await run('usr_2')).toMatchObject({ count: 1 });
  });

  it('has what is known of the run', async () => {
    const known = await data(
      `return [ctx.app.version, ctx.user.platform_id, ctx.user.hasScope("notes:write"), ctx.user.hasScope("billing:read"), ctx.user.hasRole("user"),
        ctx.webhookUrl("/in"), ctx.time.timezone, ctx.time.now_local.slice(-6) + ctx.time.now_utc.slice(-1), typeof ctx.time.hour_local]`,
    );
    const url = expect.stringMatching(/^https:\/\/panel\.example\/v1\/ext\/.+\/webhook\/in$/) as string;
    expect(known).toEqual(['1.0.0', 'usr_1', true, false, true, url, 'UTC', '+00:00Z', 'number']);
  });

  it('calls other systems, with bytes as they are', async () => {
    const at = `http://127.0.0.1:${outside.port}`;
    const bytes = await data(
      `const sent = Uint8Array.from({ length: 256 }, (_, i) => i);
       const { ok, bytes } = await ctx.http.post("${at}/echo", { body: sent });
       const { body } = await ctx.http.get("${at}/json");
       return { ok, same: bytes instanceof Uint8Array && bytes.every((byte, i) => byte === i), length: bytes.length, body }`,
    );
    expect(bytes).toEqual({ ok: true, same: true, length: 256, body: { a: [1] } });
    expect(await runCode(host, f('await ctx.http.get("http://10.0.0.1/")'))).toMatchObject({
      error_code: 'EGRESS_ADDRESS_REFUSED',
    });
  });

  it('has secrets and a cache, whose values are never shown', async () => {
    const app = deployCode(
      host,
      f(`await ctx.secrets.set("api_key", "hush-hush-hush");
         const made = [];
         for (let i = 0; i < 2; i++) await ctx.cache.getOrFetch("k", () => { made.push(i); return { i } });
         console.log("key", await ctx.secrets.get("api_key"), { a: 1 });
         console.error(new Error("it " + await ctx.secrets.get("api_key")));
         return { made, cached: await ctx.cache.get("k"), none: typeof await ctx.cache.get("none"), key: await ctx.secrets.get("api_key") }`),
      { secrets: [{ name: 'api_key', scope: 'user', write_mode: 'extension' }] },
    );
    const { body } = await host.runFunction(app, { function: 'f' });
    expect(body).toMatchObject({ data: { made: [0], cached: { i: 0 }, none: 'undefined', key: '[secret api_key]' } });
    const logged = await until(async () => {
      const found = await lines(app.app_id);
      return found.length === 2 ? found : null;
    });
    expect(logged[0]).toEqual({ level: 'info', message: 'key [secret api_key] {"a":1}' });
    expect(logged[1]?.level).toBe('error');
    expect(logged[1]?.message).toMatch(/^Error: it \[secret api_key\]\n +at f \(main:5:/);
  });

  it('has nothing that the kind of the run has not, and says so', async () => {
    const app = deployCode(
      host,
      f(`const codes = [];
         for (const use of [() => ctx.notify, () => ctx.tenant, () => ctx.asUser("usr_2"), () => ctx.store.listUsers("a"), () => ctx.ai.complete("")]) {
           try { await use(); codes.push(null) } catch (error) { codes.push(error.code, error.details.capability) }
         }
         return codes`),
    );
    const { body } = await host.runFunction(app, { function: 'f', user: null });
    const names = ['notify', 'tenant', 'asUser', 'store.listUsers', 'ai'];
    expect(body.data).toEqual(names.flatMap((name) => ['CAPABILITY_UNAVAILABLE', name]));
    await until(() => host.gateway.denials.filter(({ app_id }) => app_id === app.app_id).length === names.length);
  });

  it('calls functions of the app, whatever they are written in', async () => {
    const app = host.deploy(
      {
        app_id: 'both',
        modules: {
          main: `export const f = async (event, ctx) => [await ctx.extensions.call("both", "steps", { n: 1 }), await ctx.extensions.call("both", "code", { n: 2 }),
                 await ctx.extensions.call("both", "fails").catch(({ code, message }) => [code, message])];
               export const code = ({ n }) => n * 2;
               export const fails = () => { throw new ExtensionError("NO_MILK", "No.") };`,
        },
        steps: [
          ...['f', 'code', 'fails'].map((name) => codeFunction(name)),
          functionOf('steps', [step('r', 'control.return', { data: '{{ args.n }}' })]),
        ],
      },
      { app_id: 'both' },
    );
    expect((await host.runFunction(app, { function: 'f' })).body.data).toEqual([1, 4, ['NO_MILK', 'No.']]);
  });

  it('ends with the run', async () => {
    const app = deployCode(host, f('await new Promise((resolve) => setTimeout(resolve, 1e6))'));
    expect((await host.runFunction(app, { function: 'f', timeout_ms: 200 })).body).toMatchObject({
      error_code: 'TIMEOUT',
      retryable: true,
    });
    expect(await data('ctx.store.create("notes", {}); return 1')).toBe(1);
  });
});

describe('around it is', () => {
  it('text, bytes, time and chance', async () => {
    const values = await data(`
      const bytes = new TextEncoder().encode("žluť");
      const order = [];
      await new Promise((resolve) => { setTimeout(() => { order.push(2); resolve() }, 500); setTimeout(() => order.push(1), 5); clearTimeout(setTimeout(() => order.push(0), 1)) });
      return { length: bytes.length, text: new TextDecoder().decode(bytes), part: new TextDecoder().decode(bytes.subarray(2, 4)),
        uuid: crypto.randomUUID(), random: Math.random(), values: crypto.getRandomValues(new Uint8Array(4)).length, order, base64: btoa("hi"), text64: atob("aGk=") }`);
    expect(values).toEqual({
      ...{ length: 6, text: 'žluť', part: 'lu', order: [1, 2], base64: 'aGk=', text64: 'hi', values: 4 },
      uuid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/) as string,
      random: expect.any(Number) as number,
    });
  });

  it('chance that differs from run to run', async () => {
    const app = deployCode(
      host,
      'const loaded = Math.random(); export const f = () => [Math.random(), crypto.randomUUID(), loaded]',
    );
    const runs: JsonValue[][] = [];
    for (let time = 0; time < 5; time++)
      runs.push((await host.runFunction(app, { function: 'f' })).body.data as JsonValue[]);
    expect(new Set(runs.map(([random]) => random)).size).toBe(5);
    expect(new Set(runs.map(([, uuid]) => uuid)).size).toBe(5);
    for (const [random, , loaded] of runs) expect(random).not.toBe(loaded);
  });
});

describe('a webhook in JavaScript', () => {
  const deploy = (source: string) => {
    const code = { module: 'main', entry: 'hook' };
    const app = host.deploy({
      modules: { main: source },
      steps: [{ id: 'in', kind: 'webhook', action: 'in', params: { code } }],
    });
    host.service.app.get(DeployedAppsService).findApp = () => Promise.resolve(app);
    return app;
  };
  const post = async (appId: string, body: Buffer | string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${host.service.url}/v1/ext/${appId}/webhook/in`, { method: 'POST', body, headers });
    return { status: response.status, header: response.headers.get('x-made'), text: await response.text() };
  };

  it('answers with a status, headers and a body, and checks who signed', async () => {
    const app = deploy(`export async function hook(event, ctx) {
      const { valid, reason } = ctx.webhook.verify({ scheme: "github", secret: "hush" });
      return { status_code: valid ? 200 : 401, headers: { "x-made": event.method }, body: { valid, reason, json: event.json, at: ctx.webhook.receivedAt instanceof Date } };
    }`);
    const { createHmac } = await import('node:crypto');
    const signature = `sha256=${createHmac('sha256', 'hush').update('{"a":1}').digest('hex')}`;
    const signed = await post(app.app_id, '{"a":1}', {
      'x-hub-signature-256': signature,
      'content-type': 'application/json',
    });
    expect({ ...signed, text: JSON.parse(signed.text) as unknown }).toEqual({
      ...{ status: 200, header: 'POST' },
      text: { valid: true, reason: null, json: { a: 1 }, at: true },
    });
    expect(await post(app.app_id, '{"a":2}', { 'x-hub-signature-256': signature })).toMatchObject({ status: 401 });
  });

  it('has a large body when it reads it', async () => {
    const app = deploy(
      'export const hook = (event) => ({ body: { length: event.body.length, keys: Object.keys(event).sort(), first: event.body[0] } })',
    );
    const { text } = await post(app.app_id, 'x'.repeat(5 * 1024 * 1024));
    expect(JSON.parse(text)).toEqual({
      ...{ length: 5 * 1024 * 1024, first: 'x' },
      keys: [
        'body',
        'body_base64',
        'body_encoding',
        'headers',
        'json',
        'method',
        'query',
        'query_params',
        'query_values',
      ],
    });
  });

  it('answers bytes, which a function does not', async () => {
    const app = deploy(
      'export const hook = () => ({ headers: { "Content-Type": "image/png" }, body: new Uint8Array([0x89, 0x50, 0xff]).subarray(1) })',
    );
    const answer = await fetch(`${host.service.url}/v1/ext/${app.app_id}/webhook/in`, { method: 'POST' });
    expect([answer.headers.get('content-type'), Buffer.from(await answer.arrayBuffer())]).toEqual([
      'image/png',
      Buffer.from([0x50, 0xff]),
    ]);
  });

  it('answers 400 requests at once, or tells the sender to come again, and never that it failed', async () => {
    const app = deploy(
      'export const hook = () => new Promise((resolve) => setTimeout(() => resolve({ status_code: 200, body: "done" }), 300))',
    );
    const address = `${host.service.url}/v1/ext/${app.app_id}/webhook/in`;
    const answers = await Promise.all(Array.from({ length: 400 }, () => fetch(address, { method: 'POST', body: 'x' })));
    const byStatus = new Map<number, Response[]>();
    for (const answer of answers) byStatus.set(answer.status, [...(byStatus.get(answer.status) ?? []), answer]);
    expect([...byStatus.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(byStatus.get(200)?.length).toBeGreaterThan(0);
    for (const answer of byStatus.get(503) ?? []) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await post(app.app_id, 'x')).toMatchObject({ status: 200, text: 'done' });
  });
});

it('is smoke-tested without an effect', async () => {
  const document = {
    ...{ app_id: 'notes', version: '1.0.0' },
    modules: {
      main: `export const f = async ({ text }, ctx) => { const { id } = await ctx.store.create("notes", { text }); await ctx.notify.send({ message: text }); return (await ctx.store.get("notes", id)).data };
             export const fails = () => { throw new Error("no") };`,
    },
    steps: [codeFunction('f'), codeFunction('fails')],
  };
  const smoke = async (name: string) =>
    (
      await host.backend().post<SmokeTestResponse>('/v1/internal/smoke-tests', {
        document,
        function: name,
        args: { text: 'Hi' },
        user: ADA,
      })
    ).body;
  const { ok, result, trace } = await smoke('f');
  expect({ ok, result, effects: trace.effects }).toEqual({
    ...{ ok: true, result: { text: 'Hi' } },
    effects: [{ what: 'notify.send', details: { message: 'Hi' } }],
  });
  expect(trace.steps.map(({ kind, action, ok: done }) => [kind, action, done])).toEqual([
    ['store', 'create', true],
    ['notify', 'send', true],
    ['store', 'get', true],
  ]);
  expect(await smoke('fails')).toMatchObject({
    ...{ ok: false, error: 'no', error_code: 'HANDLER_FAILED' },
    trace: {
      steps: [
        { id: 'main.fails', kind: 'code', ok: false, result: { stack: expect.stringContaining('main:2:') as string } },
      ],
    },
  });
});
