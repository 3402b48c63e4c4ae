import { documentHash } from '@platform/app-document';
import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { measured } from '../comparing/comparison.js';
import { CONNECTIONS } from '../identity/me.js';
import { load, type HttpRequest } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import { insertApp, parsed, RunningApp } from '../platform/running-app.js';
import type { Sizes } from '../platform/size.js';
import { codeApp } from './code-app.js';
import type { CodeCosts, CodeCounts } from './code-runs.js';

const LONGEST_EMPTY_MS = 1.5;
const LONGEST_TEN_CALLS_MS = 4;
const COUNTS: Sizes<CodeCounts> = {
  full: { warmUp: 300, runs: 1_000, apps: 100 },
  tiny: { warmUp: 1, runs: 5, apps: 2 },
};

/** Compares an empty JavaScript handler with a handler in steps, called at the host. */
const emptyCode = measured({
  subject: 'an empty handler in JavaScript, at the host',
  baseline: 'one in steps',
  bar: 0.5,
  async prepare(platform) {
    const document = parsed(codeApp('bench-code'));
    const app = await RunningApp.inCommon(platform);
    const client = new Client({ connectionString: platform.databaseUrl, options: '-c search_path=gateway' });
    await client.connect();
    await insertApp(client, document).finally(() => client.end());
    const request = (name: string): HttpRequest => ({
      method: 'POST',
      path: '/v1/internal/runs',
      headers: { 'X-Service-Token': platform.serviceToken },
      body: {
        ...{
          app_id: document.app.id,
          version: document.app.version,
          sha256: documentHash(document),
          function: name,
          params: {},
        },
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
});

/** Measures the cost of runs alone, in a process like the host's. */
const runs: Measurement = {
  title: 'Cost of a run of a JavaScript handler',
  async measure({ platform }) {
    const counts = COUNTS[platform.size];
    const { emptyMs, tenCallsMs, idle, sandboxMegabytes, appMegabytes } = await measureRuns(counts);
    return {
      text:
        `A run of an empty handler in JavaScript takes ${emptyMs.toFixed(2)} ms (p50; bar: ≤ ${LONGEST_EMPTY_MS} ms), ` +
        `with ten calls of its context ${tenCallsMs.toFixed(2)} ms (bar: ≤ ${LONGEST_TEN_CALLS_MS} ms); ` +
        `if a processor has to wake up for each ${idle.emptyMs.toFixed(2)} and ${idle.tenCallsMs.toFixed(2)} ms\n` +
        `The sandbox uses ${sandboxMegabytes.toFixed(0)} MB; each of ${counts.apps} apps that ran, ${appMegabytes.toFixed(2)} MB more`,
      isReached: emptyMs <= LONGEST_EMPTY_MS && tenCallsMs <= LONGEST_TEN_CALLS_MS,
      figures: [emptyMs, tenCallsMs, idle.emptyMs, idle.tenCallsMs, sandboxMegabytes, appMegabytes],
    };
  },
};

export const code = [emptyCode, runs];

function measureRuns(counts: CodeCounts): Promise<CodeCosts> {
  const child = fork(resolve('dist', 'tools', 'bench', 'extensions', 'code-runs.js'), [JSON.stringify(counts)], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    execArgv: [],
  });
  return new Promise((done, failed) => {
    child.once('message', (costs: CodeCosts) => done(costs));
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`The process that runs handlers ended with ${code}.`)));
  });
}
