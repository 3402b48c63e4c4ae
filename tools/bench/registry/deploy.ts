import type { DeployResponse } from '@platform/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { median } from '../comparing/statistics.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';

/** Number of deploys. The first ones are not counted, because V8 compiles the code in that time. */
const COUNTS: Sizes<{ deploys: number; warmUp: number }> = {
  full: { deploys: 30, warmUp: 5 },
  tiny: { deploys: 1, warmUp: 1 },
};
const POLL_MS = 2;
const GIVE_UP_MS = 30_000;
const APP = 'bench-deploys';

export const deploys: Measurement = {
  title: 'Time until a deploy is visible',
  async measure({ platform }) {
    const { accepted, visible, slowest } = await deployTimes(platform);
    return {
      text: `A deploy is accepted in ${accepted.toFixed(0)} ms and visible ${visible.toFixed(0)} ms later (p50; ${slowest.toFixed(0)} ms at most)`,
      isReached: true,
      figures: [accepted, visible, slowest],
    };
  },
};

interface DeployTimes {
  /**
   * Median milliseconds until the deploy was accepted, and from there until the registry served its
   * version.
   */
  accepted: number;
  visible: number;
  /** Longest time until a version was visible. */
  slowest: number;
}

/**
 * Deploys new versions of an app with 20 functions one after the other, on a gateway and a
 * registry.
 */
async function deployTimes(platform: BenchPlatform): Promise<DeployTimes> {
  const { deploys, warmUp } = COUNTS[platform.size];
  const registry = await platform.startService('registry');
  const env = { REGISTRY_URL: registry.url, REGISTRY_SERVICE_TOKEN: platform.serviceToken };
  const gateway = await platform.startService('auth-gateway', { env });
  try {
    const headers = await prepareApp(platform);
    const times: { accepted: number; visible: number }[] = [];
    for (let at = 1; at <= warmUp + deploys; at++) {
      const version = `1.0.${at}`;
      const started = performance.now();
      const deploy = await post<DeployResponse>(`${gateway.url}/v1/developer/apps/${APP}/deploys`, headers, {
        ir_dict: documentOf(version),
      });
      const accepted = performance.now();
      await isServed(`${registry.url}/v1/apps/${APP}`, headers, deploy.version as string);
      times.push({ accepted: accepted - started, visible: performance.now() - accepted });
    }
    const measured = times.slice(warmUp);
    return {
      accepted: median(measured.map(({ accepted }) => accepted)),
      visible: median(measured.map(({ visible }) => visible)),
      slowest: Math.max(...measured.map(({ visible }) => visible)),
    };
  } finally {
    await gateway.stop();
    await registry.stop();
  }
}

/** Creates an app of the first user. Returns the headers of its deploys. */
async function prepareApp({ databaseUrl, serviceToken }: BenchPlatform): Promise<Record<string, string>> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    await client.query(
      "INSERT INTO developers (user_id, display_name) SELECT min(id), 'Ada' FROM users ON CONFLICT DO NOTHING",
    );
    await client.query(
      'INSERT INTO apps (app_id, developer_id, display_name) SELECT $1, min(user_id), $1 FROM developers',
      [APP],
    );
  } finally {
    await client.end();
  }
  return { 'Content-Type': 'application/json', 'X-Service-Token': serviceToken };
}

async function post<Answer>(url: string, headers: Record<string, string>, body: object): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

async function isServed(url: string, headers: Record<string, string>, version: string): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(url, { headers });
    const app = (await answer.json()) as { version?: string };
    if (app.version === version) return;
    await delay(POLL_MS);
  }
  throw new Error(`The Registry did not serve ${version} within ${GIVE_UP_MS / 1_000} s.`);
}

const documentOf = (version: string) => ({
  app_id: APP,
  version,
  name: 'Notes',
  steps: Array.from({ length: 20 }, (_value, at) => ({
    id: `f${at}`,
    kind: 'function',
    action: `function_${at}`,
    params: {
      description: `Does the ${at}th thing that this app can do, in version ${version}.`,
      params_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      steps: [{ id: 'answer', kind: 'control', action: 'return', params: { data: { id: '{{event.id}}' } } }],
    },
  })),
});
