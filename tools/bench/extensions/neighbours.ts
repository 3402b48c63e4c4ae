import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { LoadProcess, sum } from '../load/load-process.js';
import type { Sender } from '../load/load-sender.js';
import { HttpConnection, type HttpRequest } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { insertApp, parsed, RunningApp, userId } from '../platform/running-app.js';

/** Limit for the few events or webhooks of a quiet app, no matter how many of other apps wait. */
const LONGEST_WAIT_MS = 2_000;
/**
 * Limit for the 99th percentile of calls beside webhooks of another app, as a multiple of the quiet
 * time.
 */
const LARGEST_SLOWDOWN = 3;
const FEW = 5;
/** Events that one webhook publishes: a run has time for this many, one after the other. */
const EVENTS_OF_A_RUN = 25;
const SENDERS = 8;
const CALLERS = 4;
const PATIENCE_MS = 120_000;

interface Numbers {
  /** Number of apps, and of events of each app that wait. */
  events: readonly (readonly [apps: number, each: number])[];
  stored: number;
  callsMs: number;
  webhooksAtOnce: number;
  warmUpMs: number;
}
const SIZES: Sizes<Numbers> = {
  full: {
    events: [
      [1, 1_000],
      [1, 3_000],
      [50, 100],
    ],
    stored: 1_500,
    callsMs: 10_000,
    webhooksAtOnce: 200,
    warmUpMs: 2_000,
  },
  tiny: { events: [[2, 3]], stored: 5, callsMs: 50, webhooksAtOnce: 4, warmUpMs: 50 },
};

/**
 * Events of other apps that a subscriber has not handled: their outbox entry stays until the job is
 * done.
 */
const EVENTS_LEFT = `(SELECT e.id FROM ext_host.outbox o JOIN ext_host.events e ON e.id = (o.payload->>'event_id')::uuid
  WHERE o.queue LIKE '%event%' AND e.source <> 'quiet') AS work WHERE true`;

interface Wait {
  /** Description of the minimum other load. */
  beside: string;
  ms: number;
  /**
   * Number of the others' events or webhooks that were not done when the few were. Null if there
   * was no other load.
   */
  left: number | null;
}

interface Neighbours {
  engine: 'PostgreSQL' | 'Redis';
  events: Wait[];
  inbox: Wait[];
  calls: { quietMs: number; besideMs: number; webhooks: Record<string, number> };
}

export const neighbours: Measurement = {
  title: 'Delay of one app by the waiting work of another',
  async measure({ platform, progress }) {
    const measured = await measureNeighbours(platform, progress);
    const { events, inbox, calls } = measured;
    return {
      text: textOf(measured, SIZES[platform.size].webhooksAtOnce),
      isReached: keepsApart(measured),
      figures: [...events.map(({ ms }) => ms), ...inbox.map(({ ms }) => ms), calls.quietMs, calls.besideMs],
    };
  },
};

const keepsApart = ({ events, inbox, calls }: Neighbours): boolean =>
  [...events, ...inbox].every(({ ms, left }) => ms <= LONGEST_WAIT_MS && left !== 0) &&
  calls.besideMs <= LARGEST_SLOWDOWN * calls.quietMs;

function textOf({ engine, events, inbox, calls }: Neighbours, webhooksAtOnce: number): string {
  const waits = (what: string, list: Wait[]) =>
    `The ${what} of a quiet app are done after ` +
    list
      .map(({ beside, ms, left }) => `${ms.toFixed(0)} ms ${beside}${left === null ? '' : ` (${left} of these left)`}`)
      .join(', ') +
    ` (bar: ≤ ${LONGEST_WAIT_MS} ms)`;
  const { quietMs, besideMs, webhooks } = calls;
  const answers = Object.entries(webhooks).map(([status, count]) => `${count} × ${status}`);
  return [
    `Queues on ${engine}`,
    waits(`${FEW} events`, events),
    waits(`${FEW} stored webhooks`, inbox),
    `A call takes ${quietMs.toFixed(1)} ms (p99), beside ${webhooksAtOnce} webhooks at once to another app ${besideMs.toFixed(1)} ms ` +
      `(bar: ≤ ${LARGEST_SLOWDOWN} times); these were answered ${answers.join(', ')}`,
  ].join('\n');
}

/**
 * Measures if waiting work of one app delays another app. The queues are on `REDIS_URL` if it is
 * set, otherwise on PostgreSQL.
 */
async function measureNeighbours(platform: BenchPlatform, progress: (text: string) => void): Promise<Neighbours> {
  const sizes = SIZES[platform.size];
  const { REDIS_URL } = process.env;
  const running = await (REDIS_URL ? RunningApp.start(platform, { REDIS_URL }) : RunningApp.inCommon(platform));
  const client = new Client({ connectionString: platform.databaseUrl, options: '-c search_path=gateway,ext_host' });
  await client.connect();
  try {
    const noisy = Array.from(
      { length: Math.max(...sizes.events.map(([apps]) => apps)) },
      (_value, at) => `noisy-${at}`,
    );
    const names = ['quiet', ...noisy];
    for (const [at, name] of names.entries()) await insertApp(client, parsed(document(name)), userId(at + 2));
    await client.query(
      `INSERT INTO gateway.installs (user_id, app_id, tenant_id, revision, installed_at)
       SELECT 'usr_' || lpad(n::text, 26, '0'), 'quiet', 'default', 1000 + n, now() FROM generate_series(1, $1::int) n ON CONFLICT DO NOTHING`,
      [platform.population.apiKeys.length],
    );
    await until(async () => (await count(client, 'event_subscriptions WHERE true')) >= names.length);
    const bench = new Bench(client, running, platform, sizes);
    progress('Delay of events by events of other apps');
    await bench.fewEvents('warming up'); // the first run loads the apps
    const events = [await bench.fewEvents('alone')];
    for (const [apps, each] of sizes.events) {
      await bench.publish(noisy.slice(0, apps), each);
      const others = `beside ${(apps * each).toLocaleString('en')} of ${apps === 1 ? 'another app' : `${apps} others`}`;
      events.push(await bench.fewEvents(others));
      await bench.clear();
    }
    progress('Delay of stored webhooks by those of another app');
    const inbox = [await bench.fewStored('alone')];
    await bench.store('noisy-0', sizes.stored);
    inbox.push(await bench.fewStored(`beside ${sizes.stored.toLocaleString('en')} of another app`));
    await bench.clear();
    progress('Delay of calls by webhooks of another app');
    const quietMs = await bench.callsP99();
    const { ms: besideMs, webhooks } = await bench.callsBesideWebhooks('noisy-0');
    return { engine: REDIS_URL ? 'Redis' : 'PostgreSQL', events, inbox, calls: { quietMs, besideMs, webhooks } };
  } finally {
    await client.end();
    await running.stop();
  }
}

class Bench {
  constructor(
    private readonly client: Client,
    private readonly running: RunningApp,
    private readonly platform: BenchPlatform,
    private readonly sizes: Numbers,
  ) {}

  fewEvents(beside: string): Promise<Wait> {
    return this.few(beside, 'event_deliveries', () => this.webhook('quiet', 'publish', { count: FEW }));
  }

  fewStored(beside: string): Promise<Wait> {
    return this.few(beside, 'webhook_deliveries', () => this.store('quiet', FEW));
  }

  async publish(apps: readonly string[], each: number): Promise<void> {
    const runs = apps.flatMap((app) => {
      const whole = Array.from({ length: Math.floor(each / EVENTS_OF_A_RUN) }, () => ({ app, count: EVENTS_OF_A_RUN }));
      return each % EVENTS_OF_A_RUN ? [...whole, { app, count: each % EVENTS_OF_A_RUN }] : whole;
    });
    // Retries: if all processors are busy, a run can exceed its time after it has published some
    // events. Then there are a few more events.
    await eachOf(runs, async ({ app, count: events }) => {
      while ((await this.status(app, 'publish', { count: events }, '10.7.0.1')) !== 200) await delay(500);
    });
  }

  async store(app: string, deliveries: number): Promise<void> {
    await eachOf(Array.from({ length: deliveries }), () => this.webhook(app, 'stored', {}, 202));
  }

  /**
   * Deletes the remaining work of the other apps, also running work, so that the next measurement
   * does not wait for it. Handling it would take minutes.
   */
  async clear(): Promise<void> {
    await until(async () => {
      await this.client.query("DELETE FROM events WHERE source <> 'quiet'");
      await this.client.query("DELETE FROM webhook_deliveries WHERE app_id <> 'quiet'");
      const queues = "queue LIKE '%event%' OR queue = 'webhook-inbox'";
      return !(await count(
        this.client,
        `(SELECT queue FROM gateway.outbox UNION ALL SELECT queue FROM ext_host.outbox) AS work WHERE ${queues}`,
      ));
    });
  }

  /** 99th percentile of calls by some parallel callers, in milliseconds. */
  async callsP99(): Promise<number> {
    const requests = this.platform.population.apiKeys.map((key, at): HttpRequest => ({
      method: 'POST',
      path: '/v1/extensions/quiet/call',
      headers: { 'x-api-key': key },
      body: { user_id: userId(at + 1), function: 'answer', params: {} },
    }));
    const times: number[] = [];
    const end = performance.now() + this.sizes.callsMs;
    await Promise.all(
      Array.from({ length: CALLERS }, async (_value, caller) => {
        const connection = await HttpConnection.open(this.running.gateway.url);
        for (let at = caller; performance.now() < end; at += CALLERS) {
          const began = performance.now();
          await connection.send(requests[at % requests.length] as HttpRequest);
          times.push(performance.now() - began);
        }
        connection.close();
      }),
    );
    times.sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] as number;
  }

  /**
   * Measures calls while this many webhooks of another app run all the time, from as many
   * addresses.
   */
  async callsBesideWebhooks(app: string): Promise<{ ms: number; webhooks: Record<string, number> }> {
    const senders = Array.from({ length: this.sizes.webhooksAtOnce }, (_value, at): Sender => {
      const headers = { 'X-Forwarded-For': `10.8.${at}.1` };
      return {
        name: `sender ${at}`,
        path: `/v1/ext/${app}/webhook/publish`,
        headers,
        bodies: [JSON.stringify({ count: 0 })],
      };
    });
    const load = LoadProcess.start(this.running.host.url, senders);
    try {
      await delay(this.sizes.warmUpMs);
      const ms = await this.callsP99();
      return { ms, webhooks: sum(Object.values(await load.stop())) };
    } finally {
      load.kill();
    }
  }

  private async few(
    beside: string,
    table: 'event_deliveries' | 'webhook_deliveries',
    begin: () => Promise<unknown>,
  ): Promise<Wait> {
    const finished = () => count(this.client, `${table} WHERE app_id = 'quiet' AND finished_at IS NOT NULL`);
    const before = await finished();
    const began = performance.now();
    await begin();
    await until(async () => (await finished()) >= before + FEW);
    const ms = performance.now() - began;
    const left = await count(
      this.client,
      table === 'event_deliveries' ? EVENTS_LEFT : "webhook_deliveries WHERE app_id <> 'quiet' AND finished_at IS NULL",
    );
    return { beside, ms, left: beside.startsWith('beside') ? left : null };
  }

  private async webhook(app: string, path: string, body: object, expected = 200): Promise<void> {
    let status: number;
    // Retries: if all processors are busy, a run can exceed its time after it has published some
    // events. The retry counts in the measured time.
    const end = performance.now() + PATIENCE_MS;
    do status = await this.status(app, path, body, '10.7.0.1');
    while (status === 504 && performance.now() < end);
    if (status !== expected) throw new Error(`The webhook ${path} of ${app} answered ${status}.`);
  }

  private async status(app: string, path: string, body: object, address: string): Promise<number> {
    const answer = await fetch(`${this.running.host.url}/v1/ext/${app}/webhook/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  }
}

/**
 * App that publishes as many events as a webhook asks for, handles each event by storing a
 * document, stores a document for each webhook of its inbox, and answers a call.
 */
const document = (name: string) => ({
  app_id: name,
  version: '1.0.0',
  name,
  modules: {
    main: `
      export const publish = async ({ json }, ctx) => {
        for (let at = 0; at < json.count; at++) await ctx.extensions.emit('${name}.happened', { at });
        return { body: { ok: true } };
      };
      export const keep = async (event, ctx) => ({ body: await ctx.store.create('kept', { at: 1 }) });
      export const answer = () => 1;`,
  },
  events: { emits: [{ type: `${name}.happened` }] },
  steps: [
    { id: 'publish', kind: 'webhook', action: 'publish', params: { code: code('publish') } },
    { id: 'stored', kind: 'webhook', action: 'stored', params: { inbox: true, code: code('keep') } },
    { id: 'happened', kind: 'event', action: `${name}.happened`, params: { code: code('keep') } },
    { id: 'answer', kind: 'function', action: 'answer', params: { description: 'Answers.', code: code('answer') } },
  ],
});

const code = (entry: string) => ({ module: 'main', entry });

async function count(client: Client, rows: string): Promise<number> {
  const {
    rows: [row],
  } = await client.query<{ count: string }>(`SELECT count(*) FROM ${rows}`);
  return Number(row?.count);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`The work was not done after ${PATIENCE_MS} ms.`);
    await delay(20);
  }
}

/** Works on a few items at a time. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
