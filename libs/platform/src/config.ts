import { canonicalIpAddress, isServicePermission, PLATFORM_SERVICES, serviceOf, type ServicePermission } from '@platform/contracts';
import { cleanEnv, makeExactValidator, str, type CleanedEnv } from 'envalid';
import ipaddr from 'ipaddr.js';
import { BLOCKED_PORTS } from './blocked-ports.js';
import { parseKeyring, type Keyring } from './keyring.js';

/** Thrown when the environment cannot be used; `message` names every variable that is missing or malformed. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Specs = Parameters<typeof cleanEnv>[1];

/**
 * Parses `env` once into a frozen, typed object. An empty value counts as absent.
 *
 * @throws ConfigError that names every offending variable, never its value.
 */
export function parseConfig<S extends Specs>(specs: S, env: NodeJS.ProcessEnv): CleanedEnv<S> {
  const present: NodeJS.ProcessEnv = {
    NODE_ENV: 'development',
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  };
  const config = cleanEnv(present, specs, {
    reporter: ({ errors }) => {
      const problems = Object.entries(errors).map(([name, error]) => {
        const { desc, choices } = specs[name as keyof S] as { desc?: string; choices?: readonly string[] };
        if (!(name in present)) return `${name} is required: ${desc ?? 'see docs/configuration.md'}`;
        if (choices) return `${name} is malformed: expected ${oneOf(choices)}`;
        // envalid quotes the value in some of its messages, and it may be a secret that landed in the wrong variable.
        return `${name} is malformed: ${(error as Error).message.replaceAll(`"${present[name] ?? ''}"`, 'the value')}`;
      });
      if (problems.length) throw new ConfigError(problems.join('\n'));
    },
  });
  // A plain copy: envalid's own proxy throws on keys that frameworks look for, such as `constructor`.
  return Object.freeze({ ...config }) as CleanedEnv<S>;
}

/** `a, b or c` */
const oneOf = (choices: readonly string[]): string => [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');

export interface ServiceToken {
  name: string;
  token: string;
}

const MINIMUM_TOKEN_LENGTH = 24;

/** `name:token,name:token`: several may be live at once, so that one can be retired while its successor already works. */
export const serviceTokens = makeExactValidator<ServiceToken[]>((input) => {
  const tokens = input.split(',').map((entry) => {
    const [name, token, ...rest] = entry.trim().split(':');
    if (!name || !token || rest.length || !/^[a-z0-9-]+$/.test(name)) throw new Error('expected name:token,name:token');
    if (token.length < MINIMUM_TOKEN_LENGTH) throw new Error(`the token "${name}" is shorter than ${MINIMUM_TOKEN_LENGTH} characters`);
    return { name, token };
  });
  const names = tokens.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two tokens have the name "${twice}"`);
  if (new Set(tokens.map(({ token }) => token)).size !== tokens.length) throw new Error('two names share a token');
  return tokens;
});

/** What an operator's own backends may do, by the names of their tokens. `*` is every permission that is not internal. */
export type ServiceGrants = Record<string, readonly (ServicePermission | '*')[]>;

/** `name:permission+permission,name:*`. The platform's own services are not among them: what they may do is in code. */
export const servicePermissions = makeExactValidator<ServiceGrants>((input) => {
  const grants = new Map<string, (ServicePermission | '*')[]>();
  for (const entry of input.split(',').filter((part) => part.trim())) {
    const [name, list, ...rest] = entry.trim().split(':');
    if (!name || !list || rest.length || !/^[a-z0-9-]+$/.test(name)) throw new Error('expected name:permission+permission,name:*');
    if (Object.hasOwn(PLATFORM_SERVICES, serviceOf(name))) throw new Error(`what "${name}" may do cannot be configured`);
    if (grants.has(name)) throw new Error(`"${name}" is listed twice`);
    const permissions = list.split('+').map((permission) => {
      if (permission === '*' || isServicePermission(permission)) return permission;
      throw new Error(`there is no permission "${permission}"`);
    });
    grants.set(name, permissions);
  }
  return Object.fromEntries(grants);
});

/** One of another service's `SERVICE_TOKENS`, without the name that it has there. */
export const serviceToken = makeExactValidator<string>((input) => {
  if (input.includes(':')) throw new Error('expected the token alone, without its name');
  if (input.length < MINIMUM_TOKEN_LENGTH) throw new Error(`expected ${MINIMUM_TOKEN_LENGTH} characters or more`);
  return input;
});

/** The token of that name, or of it with a number, else the first one: on one machine the services are given the same tokens. */
export const tokenOf = (service: string, tokens: readonly ServiceToken[]): string =>
  (tokens.find(({ name }) => serviceOf(name) === service) ?? tokens[0])?.token ?? '';

/** `kid:base64,kid:base64` with 32 bytes each; the first protects what is new, the others still open what is old. */
export const keyring = makeExactValidator<Keyring>(parseKeyring);

/** From 0 to 1. */
const share = makeExactValidator<number>((input) => {
  const value = Number(input);
  if (!(value >= 0 && value <= 1)) throw new Error('expected a number from 0 to 1');
  return value;
});

export const wholeNumber = (min: number, max: number) =>
  makeExactValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max) throw new Error(`expected a whole number from ${min} to ${max}`);
    return value;
  });

/** Names of Express for subnets. */
const SUBNETS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks that Express takes for its `trust proxy`. */
export const trustedProxies = makeExactValidator<string[]>((input) => {
  const entries = input.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const address = SUBNETS.includes(entry) || isSubnet(entry) ? entry : canonicalIpAddress(entry);
    if (address === null) throw new Error(`expected addresses, subnets such as 10.0.0.0/8, or ${oneOf(SUBNETS)}, separated by commas`);
    return address;
  });
});

/** All addresses are no subnet: whoever trusted them would let each client choose its address. */
const isSubnet = (text: string): boolean => ipaddr.isValidCIDR(text) && !text.endsWith('/0');

/** Of a service that is called over HTTP. */
export const httpPort = makeExactValidator<number>((input) => {
  const port = Number(input);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('expected a whole number from 1 to 65535');
  if (BLOCKED_PORTS.has(port)) throw new Error(`expected another port: browsers and fetch refuse ${port}`);
  return port;
});

/** An absolute http(s) address, kept without a trailing slash so that paths can be appended. */
export const baseUrl = makeExactValidator<string>((input) => {
  if (!URL.canParse(input)) throw new Error('expected an absolute http(s) address');
  const url = new URL(input);
  if (!['http:', 'https:'].includes(url.protocol) || url.search || url.hash) throw new Error('expected an http(s) address without a query');
  return url.href.replace(/\/+$/, '');
});

/** What every service reads. An app spreads this into its own specification. `docs` are paths from docs/, for the table of docs/configuration.md. */
export const serviceConfig = {
  NODE_ENV: str({
    choices: ['development', 'test', 'production'],
    default: 'development',
    desc: 'production asks for every secret and address, and makes nothing up',
    docs: 'operations/production.md',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    default: 'info',
    desc: 'the least important lines that are logged',
  }),
  HOST: str({ default: '0.0.0.0', devDefault: '127.0.0.1', desc: 'the address to listen on' }),
  DATABASE_URL: str({
    desc: 'the PostgreSQL to use, as postgres://user:password@host:port/database',
    docs: 'operations/README.md#what-it-takes',
  }),
  DATABASE_POOL_SIZE: wholeNumber(
    1,
    200,
  )({
    default: 10,
    desc: 'connections for requests and for what jobs read and write; queues on PostgreSQL use six more in each process that runs workers',
  }),
  REDIS_URL: str({
    default: '',
    desc: 'queues and rate limits on Redis, as redis://user:password@host:port/number, or rediss:// with TLS; without it they live on PostgreSQL',
    docs: 'operations/peers.md#redis',
  }),
  SERVICE_TOKENS: serviceTokens({
    desc: 'the tokens of trusted callers, as name:token,name:token',
    docs: 'organisation.md#trusted-backends',
  }),
  SERVICE_PERMISSIONS: servicePermissions({
    default: {},
    desc: "what backends of one's own may do, as name:permission+permission,name:*; a name that is not there may do nothing",
    docs: 'organisation.md#permissions',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl({
    default: '',
    desc: 'where traces are sent by OTLP over HTTP, without /v1/traces; without it there are none. Further headers: OTEL_EXPORTER_OTLP_HEADERS',
    docs: 'operations/observability.md#traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    desc: 'the share of traces that are recorded, from 0 to 1',
    docs: 'operations/observability.md#traces',
  }),
  TRUSTED_PROXIES: trustedProxies({
    default: [],
    desc: 'addresses or subnets (also loopback, uniquelocal) whose X-Forwarded-For is believed, separated by commas; without it all clients behind a proxy share one rate limit',
    docs: 'operations/peers.md#the-proxy-in-front',
  }),
  WORKERS: str({
    choices: ['inline', 'off'],
    default: 'off',
    devDefault: 'inline',
    desc: 'inline runs the jobs in this process; with off, worker.js of the gateway and of the host run them. The registry and the panel have none',
    docs: 'architecture.md#processes',
  }),
  WORKERS_OFF_AFTER_SECONDS: wholeNumber(
    30, // a worker says so every 10 s, and may miss two
    86_400,
  )({ default: 60, desc: 'for how long no worker was seen before the notes of /readyz say so', docs: 'architecture.md#processes' }),
  DRAIN_SECONDS: wholeNumber(
    0,
    60,
  )({
    default: 0,
    desc: 'how long after SIGTERM a service still takes requests, while /readyz says that it is not ready and each answer ends its connection. Longer than the proxy takes to notice; SHUTDOWN_TIMEOUT_SECONDS begins after it',
    docs: 'operations/README.md#the-stop',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(
    1,
    300,
  )({
    default: 8,
    desc: 'how long open requests and running jobs may finish after SIGTERM',
    docs: 'operations/README.md#the-stop',
  }),
};

/** The two ports of a service, with its conventional defaults: HTTP, and 100 above it the metrics. */
export const servicePorts = (http: number) => ({
  PORT: httpPort({ default: http, desc: 'the port of the service; not one that browsers and fetch refuse, such as 6000' }),
  METRICS_PORT: wholeNumber(
    1,
    65_535,
  )({
    default: http + 100,
    desc: 'the port of GET /metrics for Prometheus and of /healthz, which a worker has nowhere else, whatever PORT is; keep it off the public network',
    docs: 'operations/alarms.md',
  }),
});

export type ServiceConfig = CleanedEnv<typeof serviceConfig & ReturnType<typeof servicePorts>>;
