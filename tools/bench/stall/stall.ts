import type { TokenResponse } from '@platform/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { HttpConnection, sendOnce, type HttpRequest } from '../load/http.js';
import { loginRequests } from '../identity/login.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform, RunningService } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { LoadProcess, sum } from '../load/load-process.js';
import type { Sender } from '../load/load-sender.js';
import { openRoutes } from './worst-bodies.js';
import { worstDocument, type WorstDocument } from './worst-documents.js';

const PER_SECOND = 200;
const KIBIBYTE = 1024;
const SIZES: Sizes<{
  developers: number;
  signedIn: number;
  warmUpMs: number;
  measuredMs: number;
  sourceBytes: number;
}> = {
  full: { developers: 10, signedIn: 50, warmUpMs: 4_000, measuredMs: 20_000, sourceBytes: 512 * KIBIBYTE },
  tiny: { developers: 2, signedIn: 2, warmUpMs: 50, measuredMs: 100, sourceBytes: 16 * KIBIBYTE },
};
/** Limit for the p99 of the loaded gateway, as a multiple of the p99 of the gateway beside it. */
const MAX_P99_RATIO = 3;

interface Stall {
  /** Name of the load. */
  load: string;
  /**
   * True if it has to reach the bar. Without rate limits there is no bar; that run shows the effect
   * of the limits.
   */
  hasBar: boolean;
  /** Both gateways before the load. */
  quiet: Quantiles;
  /** The gateway under load. */
  loaded: Quantiles;
  /** The gateway without load at the same time: the effect of the busy machine alone. */
  beside: Quantiles;
  /** Longest time in which the event loop of the gateway was blocked, by its own metrics. */
  longestMs: number;
  /** Answers by status for all senders, separately for documents and bodies. */
  answers: Record<'documents' | 'bodies', Record<string, number>>;
}

interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

interface Stalls {
  document: WorstDocument;
  stalls: Stall[];
}

export const stall: Measurement = {
  title: 'Blocking of the event loop by bad input',
  async measure({ platform, progress }) {
    const measured = await measureStalls(platform, progress);
    return {
      text: textOf(measured, SIZES[platform.size].developers),
      isReached: isNotStalled(measured),
      figures: measured.stalls.flatMap(({ quiet, loaded, beside, longestMs }) => [
        ...[quiet, loaded, beside].flatMap(({ p50Ms, p99Ms }) => [p50Ms, p99Ms]),
        longestMs,
      ]),
    };
  },
};

/**
 * Measures `GET /v1/auth/me` while developers deploy the worst document and each public route gets
 * the worst bodies, all without pause and from a process of low priority. At the same time it
 * measures a second gateway without load, on the same machine and database, because both wait for
 * the processors. The first run keeps the rate limits, with an address for each sender, and has a
 * bar. The second run has no limits, as with any number of addresses, and no bar: the gateway does
 * as much work as it gets.
 */
async function measureStalls(platform: BenchPlatform, progress: (text: string) => void): Promise<Stalls> {
  const document = worstDocument(SIZES[platform.size].sourceBytes);
  const stalls: Stall[] = [];
  const registry = await platform.startService('registry');
  try {
    for (const [load, scale, hasBar] of [
      ['as limited', '1', true],
      ['never limited', '1000000', false],
    ] as const) {
      progress(`Blocking of the event loop, ${load}`);
      const env = {
        RATE_LIMIT_SCALE: scale,
        REGISTRY_URL: registry.url,
        REGISTRY_SERVICE_TOKEN: platform.serviceToken,
      };
      const gateway = await platform.startService('auth-gateway', { env });
      // The second gateway accepts the same tokens and takes no jobs of the first.
      const other = await platform.startService('auth-gateway', {
        env: { ...env, WORKERS: 'off' },
        publicUrl: gateway.url,
      });
      try {
        stalls.push({ load, hasBar, ...(await measureOne(platform, [gateway, other], document)) });
      } finally {
        await Promise.all([gateway.stop(), other.stop()]);
      }
    }
  } finally {
    await registry.stop();
  }
  return { document, stalls };
}

async function measureOne(
  platform: BenchPlatform,
  [gateway, other]: [RunningService, RunningService],
  document: WorstDocument,
): Promise<Omit<Stall, 'load' | 'hasBar'>> {
  const { developers, signedIn, warmUpMs, measuredMs } = SIZES[platform.size];
  const nextLogin = loginRequests(platform.population);
  const tokens: string[] = [];
  while (tokens.length < signedIn) {
    tokens.push((JSON.parse(await sendOnce(gateway.url, nextLogin())) as TokenResponse).access_token);
  }
  const asks = tokens.map((token): HttpRequest => ({
    method: 'GET',
    path: '/v1/auth/me',
    headers: { Authorization: `Bearer ${token}` },
  }));
  const senders = [...(await deployers(platform, document, tokens.slice(0, developers))), ...strangers()];
  const askBoth = (milliseconds: number) =>
    Promise.all([steadily(gateway.url, asks, milliseconds), steadily(other.url, asks, milliseconds)]);
  await askBoth(warmUpMs);
  const quiet = quantiles((await askBoth(measuredMs)).flat());
  await longestStall(gateway);
  const load = LoadProcess.start(gateway.url, senders);
  try {
    await delay(warmUpMs);
    const [timesOfLoaded, timesBeside] = await askBoth(measuredMs);
    const longestMs = await longestStall(gateway);
    const report = await load.stop();
    const counted = (kind: string) =>
      sum(
        Object.keys(report)
          .filter((name) => name.startsWith(kind))
          .map((name) => report[name] ?? {}),
      );
    return {
      quiet,
      loaded: quantiles(timesOfLoaded),
      beside: quantiles(timesBeside),
      longestMs,
      answers: { documents: counted('document'), bodies: counted('body') },
    };
  } finally {
    load.kill();
  }
}

/** Senders of developers; each deploys an app of their own. */
async function deployers({ databaseUrl }: BenchPlatform, { body }: WorstDocument, tokens: string[]): Promise<Sender[]> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    const senders: Sender[] = [];
    for (const [at, token] of tokens.entries()) {
      const { sub } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { sub: string };
      const app = `stall-${sub.slice(-8)}`;
      await client.query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada') ON CONFLICT DO NOTHING", [
        sub,
      ]);
      await client.query(
        'INSERT INTO apps (app_id, developer_id, display_name) VALUES ($1, $2, $1) ON CONFLICT DO NOTHING',
        [app, sub],
      );
      const headers = { Authorization: `Bearer ${token}` };
      senders.push({ name: `document ${at}`, path: `/v1/developer/apps/${app}/deploys`, headers, bodies: [body(app)] });
    }
    return senders;
  } finally {
    await client.end();
  }
}

const strangers = (): Sender[] =>
  openRoutes().map(({ path, bodies }, at) => ({
    name: `body ${path}`,
    path,
    headers: { 'X-Forwarded-For': `10.9.9.${at}` },
    bodies,
  }));

/**
 * Sends requests at a fixed rate, no matter how long the answers take, on as many connections as
 * needed. Returns the milliseconds of each.
 */
async function steadily(url: string, requests: HttpRequest[], milliseconds: number): Promise<number[]> {
  const opened: HttpConnection[] = [];
  const idle: HttpConnection[] = [];
  const times: number[] = [];
  const ask = async (request: HttpRequest, due: number) => {
    let connection = idle.pop();
    if (!connection) opened.push((connection = await HttpConnection.open(url)));
    await connection.send(request);
    times.push(performance.now() - due);
    idle.push(connection);
  };
  const pending: Promise<void>[] = [];
  const started = performance.now();
  const count = (milliseconds / 1_000) * PER_SECOND;
  for (let at = 0; at < count; at++) {
    const wait = started + (at * 1_000) / PER_SECOND - performance.now();
    if (wait > 0) await delay(wait);
    // Measures from the real start: a late timer is not the gateway's fault.
    pending.push(ask(requests[at % requests.length] as HttpRequest, performance.now()));
  }
  try {
    await Promise.all(pending);
  } finally {
    for (const connection of opened) connection.close();
  }
  return times;
}

function quantiles(times: number[]): Quantiles {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Longest block of the event loop since the last call, in milliseconds. */
async function longestStall({ metricsUrl }: RunningService): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1] ?? 0) * 1_000;
}

const ratioOf = ({ loaded, beside }: Stall): number => loaded.p99Ms / beside.p99Ms;
const isNotStalled = ({ stalls }: Stalls): boolean =>
  stalls.every((stall) => !stall.hasBar || ratioOf(stall) <= MAX_P99_RATIO);

function textOf({ document, stalls }: Stalls, developers: number): string {
  const ms = (value: number) => value.toFixed(1);
  const counts = (answers: Record<string, number>) =>
    Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  const lines = stalls.map((stall) => {
    const { load, hasBar, quiet, loaded, beside, longestMs, answers } = stall;
    return (
      `${load}: p50 ${ms(quiet.p50Ms)} → ${ms(loaded.p50Ms)} ms, p99 ${ms(quiet.p99Ms)} → ${ms(loaded.p99Ms)} ms, ` +
      `of one beside it ${ms(beside.p50Ms)} and ${ms(beside.p99Ms)} ms: × ${ratioOf(stall).toFixed(2)} (${hasBar ? `bar: ≤ ${MAX_P99_RATIO}` : 'no bar: shows the effect of the limits'}); event loop blocked ${ms(longestMs)} ms at most; ` +
      `documents ${counts(answers.documents)}; bodies ${counts(answers.bodies)}`
    );
  });
  const worst = `${document.name}, ${document.milliseconds.toFixed(0)} ms alone`;
  return `GET /v1/auth/me, quiet → while ${developers} deploy the worst document (${worst}) and open routes get the worst bodies\n${lines.join('\n')}`;
}
