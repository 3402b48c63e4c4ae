import { capabilitiesOf, documentHash, type AppDocument } from '@platform/app-document';
import { memoryContext, MemoryPlatform, type CallKind } from '@platform/extension-sdk/runtime';
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { pino } from 'pino';
import { CodeRuntime } from '../../../apps/ext-webhook-host/src/code/host/code-runtime.js';
import { Sandboxes } from '../../../apps/ext-webhook-host/src/code/host/sandboxes.js';
import { userOf } from '../../../apps/ext-webhook-host/src/context/identities.js';
import { SecretRedactor } from '../../../apps/ext-webhook-host/src/kernel/secrets/secret-redactor.js';
import { compileApp } from '../../../apps/ext-webhook-host/src/documents/compile-app.js';
import { median } from '../comparing/comparison.js';
import { load, type HttpRequest } from '../load/http.js';
import { CONNECTIONS } from '../identity/me.js';
import type { Measurement } from '../comparing/measurement.js';
import { insertApp, parsed, RunningApp } from '../platform/running-app.js';

export const LONGEST_EMPTY_MS = 1.5;
export const LONGEST_TEN_CALLS_MS = 4;
export const CODE_APPS = 100;
const WARM_UP = 300;
const RUNS = 1_000;

const code = (entry: string) => ({ module: 'main', entry });
const steps = [{ id: 'r', kind: 'control', action: 'return', params: { data: 1 } }];
const fn = (name: string, params: object) => ({ id: name, kind: 'function', action: name, params: { description: name, ...params } });

const sent = (appId: string, filler = '') => ({
  app_id: appId,
  version: '1.0.0',
  name: appId,
  modules: {
    main: `export const empty = () => 1;
      export const calls = async (event, ctx) => { for (let i = 0; i < 10; i++) await ctx.config.get('a'); return 1 };${filler}`,
  },
  steps: [fn('in_steps', { steps }), fn('in_code', { code: code('empty') }), fn('calls', { code: code('calls') })],
});

/** A handler that does nothing, called at the host: what it costs that it is JavaScript. */
export const emptyCode: Measurement = {
  subject: 'an empty handler in JavaScript, at the host',
  baseline: 'one in steps',
  bar: 0.5,
  async prepare(platform) {
    const document = parsed(sent('bench-code'));
    const app = await RunningApp.start(platform);
    const client = new Client({ connectionString: platform.databaseUrl, options: '-c search_path=gateway' });
    await client.connect();
    await insertApp(client, document).finally(() => client.end());
    const request = (name: string): HttpRequest => ({
      method: 'POST',
      path: '/v1/internal/runs',
      headers: { 'X-Service-Token': platform.serviceToken },
      body: {
        ...{ app_id: document.app.id, version: document.app.version, sha256: documentHash(document), function: name, params: {} },
        ...{ grant: 'not used', user: null, tenant_id: 'default', chain: [], timeout_ms: 10_000 },
      },
    });
    const side = (name: string) => (milliseconds: number) =>
      load(app.host.url, CONNECTIONS, milliseconds, async (send) => {
        const answer = await send(request(name));
        if (!answer.includes('"success"')) throw new Error(answer);
      });
    return { baseline: side('in_steps'), subject: side('in_code'), stop: () => app.stop() };
  },
};

export interface CodeCosts {
  /** Of a run, from the host's runtime to the sandbox and back, median. */
  emptyMs: number;
  tenCallsMs: number;
  /** The same while nothing keeps the processors awake. */
  idle: { emptyMs: number; tenCallsMs: number };
  /** Resident, of the process with its threads, once it has run a handler. */
  sandboxMegabytes: number;
  /** More for each app of 20 KB that has run in it, in both processes. */
  appMegabytes: number;
}

/** What runs cost without anything around them: the context answers from memory. */
export async function measureCode(): Promise<CodeCosts> {
  const sandboxes = new Sandboxes('permission', { lanes: 4, megabytes: 2_048 }, true, pino({ level: 'silent' }));
  const runtime = new CodeRuntime(sandboxes);
  try {
    const run = (document: AppDocument, name: string): (() => Promise<unknown>) => {
      const app = compileApp(document);
      const handler = app.functions.get(name);
      if (!handler) throw new Error(`no function ${name}`);
      const kind: CallKind = 'function';
      const user = userOf({ user_id: 'usr_1', email: 'a@example.com', tenant_id: 'default', role: 'user', scopes: [] });
      const capabilities = capabilitiesOf(document.app);
      return () => {
        const call = () => Promise.reject(new Error('The bench calls nothing.'));
        const context = memoryContext({ document, kind, user, platform: new MemoryPlatform(), effects: [], capabilities, call });
        const { signal } = new AbortController();
        return runtime.run(handler, { event: {}, context, kind, capabilities, signal, redactor: new SecretRedactor() });
      };
    };
    const document = parsed(sent('bench-code'));
    await run(document, 'in_code')();
    const { pid } = await sandboxes.current();
    const sandboxMegabytes = residentMegabytes(pid);
    const both = async () => ({ emptyMs: await p50(run(document, 'in_code')), tenCallsMs: await p50(run(document, 'calls')) });
    const idle = await both();
    const { emptyMs, tenCallsMs } = await withProcessorAwake(both);
    const megabytes = () => residentMegabytes(pid) + process.memoryUsage().rss / 1e6;
    const before = megabytes();
    for (let at = 0; at < CODE_APPS; at++) await run(parsed(sent(`bench-code-${at}`, `\n// ${'x'.repeat(20_000)}`)), 'in_code')();
    return { emptyMs, tenCallsMs, idle, sandboxMegabytes, appMegabytes: (megabytes() - before) / CODE_APPS };
  } finally {
    sandboxes.stop();
  }
}

/**
 * A call goes from thread to thread four times. On a machine with nothing else to do each of them wakes up a processor first, which on a
 * virtual one takes longer than the call and differs from hour to hour; so one is kept awake, as it is on a machine in use.
 */
async function withProcessorAwake<T>(work: () => Promise<T>): Promise<T> {
  const thread = new Worker('for (;;);', { eval: true });
  try {
    return await work();
  } finally {
    await thread.terminate();
  }
}

async function p50(run: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < WARM_UP; time++) await run();
  const times: number[] = [];
  for (let time = 0; time < RUNS; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return median(times);
}

const residentMegabytes = (pid: number | undefined): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024) / 1e6;
