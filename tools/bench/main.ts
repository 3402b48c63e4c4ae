import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import { interleave, summarise } from './comparing/comparison.js';
import { apiKey } from './identity/api-key.js';
import { call } from './extensions/call.js';
import { catalog } from './registry/catalog.js';
import { CODE_APPS, emptyCode, LONGEST_EMPTY_MS, LONGEST_TEN_CALLS_MS, measureCode } from './extensions/code.js';
import { measureDeploys } from './registry/deploy.js';
import { devicePoll, devicePollAgainstUpdate } from './identity/device-poll.js';
import { APPS as DEPLOYED_APPS, measureDeployedApps, MOST_MEGABYTES } from './extensions/deployed-apps.js';
import { measureGrowth, ROWS } from './lists/growth.js';
import { isolation } from './identity/isolation.js';
import { LONGEST_HEALTH_MS, measureLargeBodies } from './extensions/large-bodies.js';
import { login } from './identity/login.js';
import { APPS, measureMarketplace } from './lists/marketplace.js';
import { me } from './identity/me.js';
import type { Measurement } from './comparing/measurement.js';
import { keepsApart, measureNeighbours, neighboursText } from './extensions/neighbours.js';
import { HELP, parseOptions, type Options } from './options.js';
import { Platform } from './platform/platform.js';
import { refresh, refreshWithSignature } from './identity/refresh.js';
import { LONGEST_MS, measureRevocation } from './identity/revocation.js';
import { measureServices } from './services/services.js';
import { isNotStalled, measureStalls, stallText } from './stall/stall.js';
import { footprintTable, growthTable, isSmallEnough, ratioTable, reachesBar, staysFlat, type Compared } from './comparing/table.js';
import { webhook } from './extensions/webhook.js';

const SLICE_MS = 1_000;
const MAX_WARM_UP_MS = 60_000;
const MEASUREMENTS = {
  me: [me],
  'api-key': [apiKey],
  'device-poll': [devicePoll, devicePollAgainstUpdate],
  refresh: [refresh, refreshWithSignature],
  login: [login],
  catalog: [catalog],
  call: [call],
  webhook: [webhook],
  code: [emptyCode],
  isolation,
};

/** What goes on, on a line that the next one replaces; nothing where nobody watches. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

async function compare(platform: Platform, { only, rounds }: Options): Promise<Compared[]> {
  const parts = (Object.keys(MEASUREMENTS) as (keyof typeof MEASUREMENTS)[]).filter((part) => only.includes(part));
  if (!parts.length) return [];
  const gateway = await platform.startService('auth-gateway');
  try {
    const compared: Compared[] = [];
    for (const measurement of parts.flatMap((part) => MEASUREMENTS[part])) {
      compared.push(await compareOne(measurement, platform, gateway.url, rounds));
    }
    return compared;
  } finally {
    await gateway.stop();
  }
}

async function compareOne(measurement: Measurement, platform: Platform, url: string, rounds: number): Promise<Compared> {
  progress(`${measurement.subject} against ${measurement.baseline}, ${rounds} rounds`);
  const { baseline, subject, stop } = await measurement.prepare(platform, url);
  try {
    return {
      measurement,
      summary: summarise(await interleave({ baseline, subject }, { rounds, sliceMs: SLICE_MS, maxWarmUpMs: MAX_WARM_UP_MS })),
    };
  } finally {
    await stop?.();
  }
}

async function revocation(platform: Platform): Promise<number> {
  progress('How soon a second process notices a revocation');
  const gateway = await platform.startService('auth-gateway');
  try {
    return await measureRevocation(platform, gateway.url);
  } finally {
    await gateway.stop();
  }
}

/** Returns whether every bar was reached. */
async function bench(options: Options): Promise<boolean> {
  progress('Starting a database');
  const platform = await Platform.start();
  const interrupt = () => void platform.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    progress('What handlers in JavaScript cost');
    const code = options.only.includes('code') ? await measureCode() : null;
    const compared = await compare(platform, options);
    const revocationMs = options.only.includes('revocation') ? await revocation(platform) : 0;
    const footprints = options.only.includes('services') ? await measureServices(platform, progress) : [];
    progress('Whether large bodies hold others up');
    const bodies = options.only.includes('large-bodies') ? await measureLargeBodies(platform) : null;
    const stalls = options.only.includes('stall') ? await measureStalls(platform, progress) : null;
    const neighbours = options.only.includes('neighbours') ? await measureNeighbours(platform, progress) : null;
    progress('How soon a deploy is visible');
    const deploys = options.only.includes('deploy') ? await measureDeploys(platform) : null;
    const deployed = options.only.includes('deployed-apps') ? await measureDeployedApps(platform) : 0;
    const growths = options.only.includes('growth') ? await measureGrowth(platform, options.rounds, progress) : [];
    const marketplace = options.only.includes('marketplace') ? await measureMarketplace(platform, options.rounds, progress) : [];
    progress('');
    const beside = process.env['RUNNING_PLATFORM_URL'];
    if (beside) console.log(`\nA platform of this folder runs at ${beside} and takes a share of this machine.`);
    console.log(`\nNode.js ${process.version}, ${availableParallelism()} cores, median of ${options.rounds} rounds`);
    if (compared.length) console.log(`\n${ratioTable(compared)}`);
    if (footprints.length) console.log(`\n${footprintTable(footprints)}`);
    if (growths.length) console.log(`\n${growthTable(growths, ROWS)}`);
    if (marketplace.length) console.log(`\n${growthTable(marketplace, APPS)}`);
    if (code) {
      const { emptyMs, tenCallsMs, idle, sandboxMegabytes, appMegabytes } = code;
      console.log(
        `\nA run of an empty handler in JavaScript takes ${emptyMs.toFixed(2)} ms (p50; bar: ≤ ${LONGEST_EMPTY_MS} ms), ` +
          `with ten calls of its context ${tenCallsMs.toFixed(2)} ms (bar: ≤ ${LONGEST_TEN_CALLS_MS} ms); ` +
          `where a processor has to wake up for each ${idle.emptyMs.toFixed(2)} and ${idle.tenCallsMs.toFixed(2)} ms`,
      );
      console.log(
        `The sandbox holds ${sandboxMegabytes.toFixed(0)} MB; each of ${CODE_APPS} apps that ran, ${appMegabytes.toFixed(2)} MB more`,
      );
    }
    if (bodies) {
      const { p50Ms, slowestMs, seconds } = bodies;
      console.log(
        `\nWhile 50 bodies of 10 MiB come at once (${seconds.toFixed(1)} s), /healthz takes ${p50Ms.toFixed(0)} ms (p50), ` +
          `${slowestMs.toFixed(0)} ms at most (bar: < ${LONGEST_HEALTH_MS} ms)`,
      );
    }
    if (stalls) console.log(`\n${stallText(stalls)}`);
    if (neighbours) console.log(`\n${neighboursText(neighbours)}`);
    if (deploys) {
      const [accepted, visible, slowest] = [deploys.accepted, deploys.visible, deploys.slowest].map((ms) => ms.toFixed(0));
      console.log(`\nA deploy is accepted in ${accepted} ms and visible ${visible} ms later (p50; ${slowest} ms at most)`);
    }
    if (deployed)
      console.log(
        `\n${DEPLOYED_APPS.toLocaleString('en')} deployed apps cost the host ${deployed.toFixed(0)} MB (bar: < ${MOST_MEGABYTES} MB)`,
      );
    if (revocationMs)
      console.log(`\nA second process refuses a revoked session after ${revocationMs.toFixed(0)} ms (bar: < ${LONGEST_MS} ms)`);
    return (
      compared.every(reachesBar) &&
      (!code || (code.emptyMs <= LONGEST_EMPTY_MS && code.tenCallsMs <= LONGEST_TEN_CALLS_MS)) &&
      (!bodies || bodies.slowestMs < LONGEST_HEALTH_MS) &&
      (!stalls || isNotStalled(stalls)) &&
      (!neighbours || keepsApart(neighbours)) &&
      deployed < MOST_MEGABYTES &&
      [...growths, ...marketplace].every(staysFlat) &&
      revocationMs < LONGEST_MS &&
      footprints.every(isSmallEnough)
    );
  } finally {
    await platform.stop();
  }
}

function optionsOrExit(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const options = optionsOrExit();
if (options.help) {
  console.log(HELP);
} else {
  const reached = await bench(options);
  if (options.strict && !reached) process.exitCode = 1;
}
