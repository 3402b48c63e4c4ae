import { BatchCallRequest } from '@platform/contracts';
import { InputPipe } from '@platform/platform';
import { getMetadataStorage } from 'class-validator';
import type { Comparison, Sides } from '../comparing/comparison.js';
import { calls } from '../extensions/call.js';
import { polls } from '../identity/device-poll.js';
import { CONNECTIONS, UNGUARDED } from '../identity/me.js';
import { load } from '../load/http.js';
import { throughput } from '../load/throughput.js';
import type { Platform } from '../platform/platform.js';
import { RunningApp } from '../platform/running-app.js';

/** A trick that gains less is not worth its code. */
const LEAST_GAIN = 1.05;

type Path = (platform: Platform, gatewayUrl: string) => Sides['subject'];

const jwks: Path = (_platform, url) => (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED));

/** Each trick of the services on the path where it gains most, with it and without it. Those of the build and of Jest are not compared here. */
export const tricks: Comparison[] = [
  atGateway('express-prototypes', 'GET jwks.json', jwks),
  {
    ...described('remembered-rules', 'A batch of 20 calls is checked'),
    prepare: checksOfBatches,
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

/** With the classes of all services, as the gateway has most of them: class-validator looks at each for each object. */
function checksOfBatches(): Sides {
  const storage = getMetadataStorage();
  const sought = storage.getTargetValidationMetadatas.bind(storage);
  const pipe = new InputPipe();
  const remembered = storage.getTargetValidationMetadatas.bind(storage);
  const body = { user_id: 'usr_01', calls: Array.from({ length: 20 }, () => ({ function: 'answer', params: {} })) };
  const check = (find: typeof sought): Sides['subject'] => {
    return (milliseconds) => {
      storage.getTargetValidationMetadatas = find;
      return throughput(1, milliseconds, () => pipe.transform(body, { type: 'body', metatype: BatchCallRequest }) as Promise<unknown>);
    };
  };
  return { baseline: check(sought), subject: check(remembered) };
}

function described(trick: string, what: string): Pick<Comparison, 'subject' | 'baseline' | 'bar'> {
  return { subject: `${what}, with ${trick}`, baseline: 'without', bar: LEAST_GAIN };
}

function without(trick: string): { SPEED_TRICKS_OFF: string } {
  return { SPEED_TRICKS_OFF: trick };
}
