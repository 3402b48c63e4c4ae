import { BatchCallRequest } from '@platform/contracts';
import { InputPipe, speedTricks, type SpeedTrick } from '@platform/platform';
import { getMetadataStorage } from 'class-validator';
import type { Comparison, Sides } from '../comparing/comparison.js';
import { calls } from '../extensions/call.js';
import { polls } from '../identity/device-poll.js';
import { CONNECTIONS, UNGUARDED } from '../identity/me.js';
import { load } from '../load/http.js';
import { throughput } from '../load/throughput.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import { RunningApp } from '../platform/running-app.js';

/** Smallest gain for which a trick is worth its code. */
const LEAST_GAIN = 1.05;

type Path = (platform: BenchPlatform, gatewayUrl: string) => Sides['subject'];

const jwks: Path = (_platform, url) => (milliseconds) =>
  load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED));

/**
 * Compares each trick of the services on the path where it gains most, on and off. Tricks of the
 * build and of Jest are not compared here.
 */
export const tricks: Comparison[] = [
  atGateway('express-prototypes', 'GET jwks.json', jwks),
  {
    ...described('remembered-rules', 'A batch of 20 calls is checked by class-validator'),
    prepare: rememberedRules,
  },
  {
    ...described('accepted-inputs', 'A batch of 20 calls is checked'),
    prepare: acceptedInputs,
  },
  atGateway('prepared-statements', 'POST /v1/auth/cli/device/token', polls),
  {
    ...described('cancellation', 'POST /v1/extensions/{app_id}/call'),
    async prepare(platform) {
      const [on, off] = [await RunningApp.start(platform), await RunningApp.start(platform, without('cancellation'))];
      return {
        baseline: calls(platform, off.gateway.url),
        subject: calls(platform, on.gateway.url),
        stop: () => Promise.all([on.stop(), off.stop()]),
      };
    },
  },
];

function atGateway(trick: string, what: string, path: Path): Comparison {
  return {
    ...described(trick, what),
    async prepare(platform, url) {
      const off = await platform.startService('auth-gateway', { publicUrl: url, env: without(trick) });
      return { baseline: path(platform, off.url), subject: path(platform, url), stop: () => off.stop() };
    },
  };
}

/**
 * Measures with the classes of all services, most of which the gateway has, too: class-validator
 * searches all of them for each object.
 */
function rememberedRules(): Sides {
  const storage = getMetadataStorage();
  const sought = storage.getTargetValidationMetadatas.bind(storage);
  const check = checkOfBatch(); // from here on rules are cached
  const remembered = storage.getTargetValidationMetadatas.bind(storage);
  const inTheWay = trickOf('accepted-inputs');
  const side = (find: typeof sought): Sides['subject'] => {
    return async (milliseconds) => {
      const wasOn = inTheWay.isOn;
      storage.getTargetValidationMetadatas = find;
      inTheWay.isOn = false;
      return throughput(1, milliseconds, check).finally(() => {
        storage.getTargetValidationMetadatas = remembered;
        inTheWay.isOn = wasOn;
      });
    };
  };
  return { baseline: side(sought), subject: side(remembered) };
}

function acceptedInputs(): Sides {
  const check = checkOfBatch();
  const trick = trickOf('accepted-inputs');
  const side = (isOn: boolean): Sides['subject'] => {
    return async (milliseconds) => {
      const wasOn = trick.isOn;
      trick.isOn = isOn;
      return throughput(1, milliseconds, check).finally(() => (trick.isOn = wasOn));
    };
  };
  return { baseline: side(false), subject: side(true) };
}

function checkOfBatch(): () => Promise<unknown> {
  const pipe = new InputPipe();
  const body = { user_id: 'usr_01', calls: Array.from({ length: 20 }, () => ({ function: 'answer', params: {} })) };
  return () => Promise.resolve(pipe.transform(body, { type: 'body', metatype: BatchCallRequest }));
}

function trickOf(name: string): SpeedTrick {
  const trick = speedTricks.find((known) => known.name === name);
  if (!trick) throw new Error(`There is no trick ${name}.`);
  return trick;
}

function described(trick: string, what: string): Pick<Comparison, 'subject' | 'baseline' | 'bar'> {
  return { subject: `${what}, with ${trick}`, baseline: 'without', bar: LEAST_GAIN };
}

function without(trick: string): { SPEED_TRICKS_OFF: string } {
  return { SPEED_TRICKS_OFF: trick };
}
