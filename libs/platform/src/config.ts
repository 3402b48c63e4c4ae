import {
  canonicalIpAddress,
  isServicePermission,
  PLATFORM_SERVICES,
  serviceOf,
  type ServicePermission,
} from '@platform/contracts';
import { cleanEnv, makeExactValidator, str, type CleanedEnv } from 'envalid';
import ipaddr from 'ipaddr.js';
import { BLOCKED_PORTS } from './blocked-ports.js';
import { parseKeyring, type Keyring } from './keyring.js';

/** The environment cannot be used. `message` names each variable that is missing or malformed. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Specs = Parameters<typeof cleanEnv>[1];

/**
 * Validates the environment against `specs`, and returns a frozen object with the parsed values and
 * the defaults. An empty value counts as absent. NODE_ENV is `development` by default.
 *
 * @throws ConfigError that names each missing or malformed variable. It never quotes a whole value,
 * which can be a secret.
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
        // envalid quotes the value in some messages. It can be a secret that was set in the wrong
        // variable.
        return `${name} is malformed: ${(error as Error).message.replaceAll(`"${present[name] ?? ''}"`, 'the value')}`;
      });
      if (problems.length) throw new ConfigError(problems.join('\n'));
    },
  });
  // A plain copy, because envalid's proxy throws on keys that frameworks look for, such as
  // `constructor`.
  return Object.freeze({ ...config }) as CleanedEnv<S>;
}

/** Formats a list: `a, b or c`. */
const oneOf = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');

export interface ServiceToken {
  name: string;
  token: string;
}

const MINIMUM_TOKEN_LENGTH = 24;

/**
 * Reads a list of service tokens, `name:token,name:token`. Several tokens can be valid at once, so
 * that a new one works before the old one is removed.
 *
 * @throws ConfigError, from `parseConfig`, if the list has another form, a token is shorter than 24
 * characters, or two entries share a name or a token.
 */
export const serviceTokens = makeExactValidator<ServiceToken[]>((input) => {
  const tokens = input.split(',').map((entry) => {
    const [name, token, ...rest] = entry.trim().split(':');
    if (!name || !token || rest.length || !/^[a-z0-9-]+$/.test(name)) throw new Error('expected name:token,name:token');
    if (token.length < MINIMUM_TOKEN_LENGTH)
      throw new Error(`the token "${name}" is shorter than ${MINIMUM_TOKEN_LENGTH} characters`);
    return { name, token };
  });
  const names = tokens.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two tokens have the name "${twice}"`);
  if (new Set(tokens.map(({ token }) => token)).size !== tokens.length) throw new Error('two names share a token');
  return tokens;
});

/**
 * Permissions of the operator's own backends, by token name. `*` stands for every permission that
 * is not internal.
 */
export type ServiceGrants = Record<string, readonly (ServicePermission | '*')[]>;

/**
 * Reads the permissions of backends, `name:permission+permission,name:*`. `*` stands for every
 * permission that is not internal.
 *
 * @throws ConfigError, from `parseConfig`, if the list has another form, a name appears twice, a
 * permission is unknown, or a name belongs to a service of the platform: its permissions are fixed
 * in code.
 */
export const servicePermissions = makeExactValidator<ServiceGrants>((input) => {
  const grants = new Map<string, (ServicePermission | '*')[]>();
  for (const entry of input.split(',').filter((part) => part.trim())) {
    const [name, list, ...rest] = entry.trim().split(':');
    if (!name || !list || rest.length || !/^[a-z0-9-]+$/.test(name))
      throw new Error('expected name:permission+permission,name:*');
    if (Object.hasOwn(PLATFORM_SERVICES, serviceOf(name)))
      throw new Error(`the permissions of "${name}" are fixed, because it is a service of the platform`);
    if (grants.has(name)) throw new Error(`"${name}" is listed twice`);
    const permissions = list.split('+').map((permission) => {
      if (permission === '*' || isServicePermission(permission)) return permission;
      throw new Error(`there is no permission "${permission}"`);
    });
    grants.set(name, permissions);
  }
  return Object.fromEntries(grants);
});

/**
 * Reads a token from `SERVICE_TOKENS` of another service, without its name.
 *
 * @throws ConfigError, from `parseConfig`, if it contains a colon or is shorter than 24 characters.
 */
export const serviceToken = makeExactValidator<string>((input) => {
  if (input.includes(':')) throw new Error('expected the token alone, without its name');
  if (input.length < MINIMUM_TOKEN_LENGTH) throw new Error(`expected ${MINIMUM_TOKEN_LENGTH} characters or more`);
  return input;
});

/**
 * The token with which this service calls others: the first whose name is the service, such as
 * `gateway`, or the service with a hyphen and a number, such as `gateway-2`. If no name matches,
 * the first token: on one machine all services share the same tokens. Empty if the list is empty.
 */
export const selectServiceToken = (service: string, tokens: readonly ServiceToken[]): string =>
  (tokens.find(({ name }) => serviceOf(name) === service) ?? tokens[0])?.token ?? '';

/**
 * Reads secret keys, `id:base64,id:base64`, 32 bytes each. The first key protects new values; the
 * others only open older ones.
 *
 * @throws ConfigError, from `parseConfig`, if the list has another form, an id appears twice, or a
 * key does not have 32 bytes.
 */
export const keyring = makeExactValidator<Keyring>(parseKeyring);

/** Reads a number from 0 to 1; any other value is a ConfigError. */
const share = makeExactValidator<number>((input) => {
  const value = Number(input);
  if (!(value >= 0 && value <= 1)) throw new Error('expected a number from 0 to 1');
  return value;
});

/** Makes a validator for a whole number from `min` to `max`; any other value is a ConfigError. */
export const wholeNumber = (min: number, max: number) =>
  makeExactValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`expected a whole number from ${min} to ${max}`);
    return value;
  });

/** Names of subnets that Express accepts. */
const SUBNETS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads a list of IP addresses, subnets (`10.0.0.0/8`) and the names `loopback`, `linklocal` and
 * `uniquelocal`, for the Express setting `trust proxy`.
 *
 * @throws ConfigError, from `parseConfig`, if an entry is none of these, or a subnet of all
 * addresses (`/0`).
 */
export const trustedProxies = makeExactValidator<string[]>((input) => {
  const entries = input.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const address = SUBNETS.includes(entry) || isSubnet(entry) ? entry : canonicalIpAddress(entry);
    if (address === null)
      throw new Error(`expected addresses, subnets such as 10.0.0.0/8, or ${oneOf(SUBNETS)}, separated by commas`);
    return address;
  });
});

/**
 * True for a subnet such as `10.0.0.0/8`. False for a subnet of all addresses (`/0`): with it as a
 * trusted proxy, each client could choose its own address.
 */
const isSubnet = (text: string): boolean => ipaddr.isValidCIDR(text) && !text.endsWith('/0');

/**
 * Reads the port of a service that is called over HTTP: a whole number from 1 to 65535, and none of
 * `BLOCKED_PORTS`. Any other value is a ConfigError.
 */
export const httpPort = makeExactValidator<number>((input) => {
  const port = Number(input);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('expected a whole number from 1 to 65535');
  if (BLOCKED_PORTS.has(port)) throw new Error(`expected another port: browsers and fetch refuse ${port}`);
  return port;
});

/**
 * Reads an absolute http(s) address. It is returned without slashes at its end, so that paths can
 * be appended.
 *
 * @throws ConfigError, from `parseConfig`, for any other value, or an address with a query or a
 * fragment.
 */
export const baseUrl = makeExactValidator<string>((input) => {
  if (!URL.canParse(input)) throw new Error('expected an absolute http(s) address');
  const url = new URL(input);
  if (!['http:', 'https:'].includes(url.protocol) || url.search || url.hash)
    throw new Error('expected an http(s) address without a query');
  return url.href.replace(/\/+$/, '');
});

/**
 * Variables that every service reads. Each app spreads them into its own specification. `docs` is a
 * path below docs/, for the table in docs/configuration.md.
 */
export const serviceConfig = {
  NODE_ENV: str({
    choices: ['development', 'test', 'production'],
    default: 'development',
    desc: 'production requires every secret and address, and generates none',
    docs: 'operations/production.md',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    default: 'info',
    desc: 'the lowest level that is logged',
  }),
  HOST: str({ default: '0.0.0.0', devDefault: '127.0.0.1', desc: 'the address to listen on' }),
  DATABASE_URL: str({
    desc: 'the address of PostgreSQL, as postgres://user:password@host:port/database',
    docs: 'operations/README.md#what-it-takes',
  }),
  DATABASE_POOL_SIZE: wholeNumber(
    1,
    200,
  )({
    default: 10,
    desc: 'connections to PostgreSQL for requests and jobs; queues on PostgreSQL use six more in each process that runs workers',
  }),
  REDIS_URL: str({
    default: '',
    desc: 'the address of Redis for queues and rate limits, as redis://user:password@host:port/number, or rediss:// with TLS; without it, they are kept in PostgreSQL',
    docs: 'operations/peers.md#redis',
  }),
  SERVICE_TOKENS: serviceTokens({
    desc: 'the tokens of trusted callers, as name:token,name:token',
    docs: 'organisation.md#trusted-backends',
  }),
  SERVICE_PERMISSIONS: servicePermissions({
    default: {},
    desc: 'the permissions of your own backends, as name:permission+permission,name:*; a backend that is not listed has none',
    docs: 'organisation.md#permissions',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl({
    default: '',
    desc: 'where traces are sent by OTLP over HTTP, without /v1/traces; without it, no traces are sent. Extra headers: OTEL_EXPORTER_OTLP_HEADERS',
    docs: 'operations/observability.md#traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    desc: 'the share of traces that are recorded, from 0 to 1',
    docs: 'operations/observability.md#traces',
  }),
  TRUSTED_PROXIES: trustedProxies({
    default: [],
    desc: 'proxies to trust, as addresses or subnets (also loopback, uniquelocal), separated by commas; the client address is read from their X-Forwarded-For. Without it, all clients behind a proxy share one rate limit',
    docs: 'operations/peers.md#the-proxy-in-front',
  }),
  WORKERS: str({
    choices: ['inline', 'off'],
    default: 'off',
    devDefault: 'inline',
    desc: 'inline runs jobs in this process; off leaves them to worker.js of the gateway and of the host. The registry and the panel have no jobs',
    docs: 'architecture.md#processes',
  }),
  WORKERS_OFF_AFTER_SECONDS: wholeNumber(
    30, // a worker reports every 10 s, and can miss two reports
    86_400,
  )({
    default: 60,
    desc: 'seconds without a report of a worker until the notes of /readyz say so',
    docs: 'architecture.md#processes',
  }),
  DRAIN_SECONDS: wholeNumber(
    0,
    60,
  )({
    default: 0,
    desc: 'seconds after SIGTERM in which a service still takes requests, while /readyz answers 503 and each response closes its connection. Set it longer than the proxy needs to notice; SHUTDOWN_TIMEOUT_SECONDS starts after it',
    docs: 'operations/README.md#the-stop',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(
    1,
    300,
  )({
    default: 8,
    desc: 'seconds in which open requests and running jobs can finish after SIGTERM',
    docs: 'operations/README.md#the-stop',
  }),
};

/**
 * Specification of the two ports of a service: PORT, by default `http`, and METRICS_PORT, by
 * default `http + 100`.
 */
export const servicePorts = (http: number) => ({
  PORT: httpPort({
    default: http,
    desc: 'the port of the service; not one that browsers and fetch refuse, such as 6000',
  }),
  METRICS_PORT: wholeNumber(
    1,
    65_535,
  )({
    default: http + 100,
    desc: 'the port of GET /metrics for Prometheus and of /healthz; it is the only port of a worker; keep it off the public network',
    docs: 'operations/alarms.md',
  }),
});

export type ServiceConfig = CleanedEnv<typeof serviceConfig & ReturnType<typeof servicePorts>>;
