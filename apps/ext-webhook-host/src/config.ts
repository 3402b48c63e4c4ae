import {
  baseUrl,
  ConfigError,
  keyring,
  parseConfig,
  serviceConfig,
  servicePorts,
  serviceToken,
  wholeNumber,
} from '@platform/platform';
import { str } from 'envalid';
import { hasBubblewrap, SANDBOXES } from './code/host/sandbox-command.js';
import { NO_BUBBLEWRAP } from './code/host/sandbox-supervisor.js';
import { addressesAndPorts } from '@platform/egress';

export const specification = {
  ...serviceConfig,
  ...servicePorts(4002),
  SECRET_KEYS: keyring({
    desc: '32 random bytes as id:base64; several, newest first, to rotate',
    docs: 'operations/keys.md#secret_keys',
  }),
  AUTH_GATEWAY_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4000',
    desc: 'the address at which the host reaches the gateway',
  }),
  AUTH_GATEWAY_SERVICE_TOKEN: serviceToken({
    devDefault: '',
    desc: 'the token named ext-webhook-host in the SERVICE_TOKENS of the gateway, without its name',
  }),
  PANEL_URL: baseUrl({
    devDefault: 'http://localhost:4003',
    desc: 'the address of the web panel, where webhooks are called',
  }),
  EGRESS_ALLOW: addressesAndPorts({
    default: new Set<string>(),
    desc: 'addresses that extensions may call although they are not public, as address:port,[v6 address]:port; for development and tests',
    docs: 'extension-runtime.md#calls-to-other-systems',
  }),
  CODE_SANDBOX: str({
    choices: SANDBOXES,
    default: 'auto',
    desc: 'the sandbox of handlers in JavaScript; auto: bubblewrap, outside production also without it; permission isolates less',
    docs: 'code-handlers.md#isolation',
  }),
  CODE_MEMORY_MB: wholeNumber(
    256,
    65_536,
  )({
    default: 2_048,
    desc: 'MiB that the heaps of all handlers in JavaScript may have together',
    docs: 'code-handlers.md#limits',
  }),
  EVENT_QUOTA_MB: wholeNumber(
    1,
    1_000_000,
  )({
    default: 100,
    desc: 'MiB of events that the apps of one developer can publish in a day, at most a quarter of it for one user and half of it for no user; the same for gateway and host',
    docs: 'events.md#publishing',
  }),
  CODE_THREADS: wholeNumber(
    2,
    64,
  )({
    default: 4,
    desc: 'threads that run handlers in JavaScript, and one more for apps that had to be stopped; they share CODE_MEMORY_MB: with 2048, each of 4 threads keeps about 16 apps loaded',
    docs: 'code-handlers.md#limits',
  }),
};

export function loadConfig(env: NodeJS.ProcessEnv) {
  const config = parseConfig(specification, env);
  const { NODE_ENV, CODE_SANDBOX } = config;
  const mustBeThere = CODE_SANDBOX === 'bubblewrap' || (CODE_SANDBOX === 'auto' && NODE_ENV === 'production');
  if (mustBeThere && !hasBubblewrap()) throw new ConfigError(NO_BUBBLEWRAP);
  return config;
}

export type Config = ReturnType<typeof loadConfig>;
