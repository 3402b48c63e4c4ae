import 'reflect-metadata';
import { capabilitiesOf, parseAppDocument, type AppDocument } from '@platform/app-document';
import { memoryContext, MemoryPlatform, type CallKind } from '@platform/extension-sdk/runtime';
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { CodeRuntimeService } from '../../../apps/ext-webhook-host/src/code/host/code-runtime.service.js';
import { SandboxSupervisor } from '../../../apps/ext-webhook-host/src/code/host/sandbox-supervisor.js';
import { userOf } from '../../../apps/ext-webhook-host/src/context/identities.js';
import { SecretRedactor } from '../../../apps/ext-webhook-host/src/kernel/secrets/secret-redactor.js';
import { compileApp } from '../../../apps/ext-webhook-host/src/documents/compile-app.js';
import { median } from '../comparing/statistics.js';
import { codeApp } from './code-app.js';

/**
 * Measures runs in this process, which is bundled like the host, and sends their cost to the bench.
 * The context answers from memory.
 */

export interface CodeCounts {
  warmUp: number;
  runs: number;
  apps: number;
}

export interface CodeCosts {
  /** Median time of a run, from the host's runtime to the sandbox and back. */
  emptyMs: number;
  tenCallsMs: number;
  /** The same while all processors are otherwise idle. */
  idle: { emptyMs: number; tenCallsMs: number };
  /** Resident memory of the sandbox process with its threads, after it has run a handler. */
  sandboxMegabytes: number;
  /** Additional memory of both processes for each app of 20 KB that has run. */
  appMegabytes: number;
}

const counts = JSON.parse(process.argv[2] ?? '') as CodeCounts;
const sandboxes = new SandboxSupervisor('permission', { lanes: 4, megabytes: 2_048 }, true, pino({ level: 'silent' }));
const runtime = new CodeRuntimeService(sandboxes);

async function measure(): Promise<CodeCosts> {
  const document = parsed(codeApp('bench-code'));
  await run(document, 'in_code')();
  const { pid } = await sandboxes.getProcess();
  const sandboxMegabytes = residentMegabytes(pid);
  const both = async () => ({
    emptyMs: await p50(run(document, 'in_code')),
    tenCallsMs: await p50(run(document, 'calls')),
  });
  const idle = await both();
  const { emptyMs, tenCallsMs } = await withProcessorAwake(both);
  const megabytes = () => residentMegabytes(pid) + process.memoryUsage().rss / 1e6;
  const before = megabytes();
  for (let at = 0; at < counts.apps; at++)
    await run(parsed(codeApp(`bench-code-${at}`, `\n// ${'x'.repeat(20_000)}`)), 'in_code')();
  return { emptyMs, tenCallsMs, idle, sandboxMegabytes, appMegabytes: (megabytes() - before) / counts.apps };
}

function run(document: AppDocument, name: string): () => Promise<unknown> {
  const app = compileApp(document);
  const handler = app.functions.get(name);
  if (!handler) throw new Error(`no function ${name}`);
  const kind: CallKind = 'function';
  const user = userOf({ user_id: 'usr_1', email: 'a@example.com', tenant_id: 'default', role: 'user', scopes: [] });
  const capabilities = capabilitiesOf(document.app);
  return () => {
    const call = () => Promise.reject(new Error('The bench supports no calls of other apps.'));
    const context = memoryContext({
      document,
      kind,
      user,
      platform: new MemoryPlatform(),
      effects: [],
      capabilities,
      call,
    });
    const { signal } = new AbortController();
    return runtime.runHandler(handler, {
      event: {},
      context,
      kind,
      capabilities,
      signal,
      redactor: new SecretRedactor(),
    });
  };
}

function parsed(sent: object): AppDocument {
  const result = parseAppDocument(sent);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.document;
}

/**
 * Keeps one processor awake, as it is on a machine in use. A call passes between threads four
 * times. On an idle machine each pass first wakes up a processor; on a virtual machine that takes
 * longer than the call and differs from hour to hour.
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
  for (let time = 0; time < counts.warmUp; time++) await run();
  const times: number[] = [];
  for (let time = 0; time < counts.runs; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return median(times);
}

const residentMegabytes = (pid: number | undefined): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024) / 1e6;

process.once('disconnect', () => process.exit());
try {
  const costs = await measure();
  process.send?.(costs, () => process.exit());
} finally {
  sandboxes.stop();
}
