import type { AppDocument, JsonObject, JsonValue } from '@platform/app-document';
import type { RunUser } from '@platform/contracts';
import { restrict, type CallKind } from '../context/capabilities.js';
import type {
  ContextExtensions,
  ContextHttp,
  ContextStore,
  ContextUser,
  ExtensionContext,
  HttpBodyOptions,
  HttpResponse,
} from '../context/context.js';
import { Budget, RUN_LIMITS } from '../context/run-limits.js';
import { ExtensionError } from '../extension-error.js';
import { jsonText } from '../json-text.js';
import type { SecretRedactor } from '../secrets/secret-redactor.js';
import { SecretErrors } from '../secrets/secrets.errors.js';
import { MemoryCache } from './memory-cache.js';
import { MemoryStore } from './memory-store.js';

/** What a run would have done to the world outside. */
export interface Effect {
  what: string;
  details: JsonObject;
}

export interface MemoryWorld {
  document: AppDocument;
  user: RunUser;
  effects: Effect[];
  redactor: SecretRedactor;
  /** Functions of the same app. */
  call: ContextExtensions['call'];
}

/**
 * A context without anything outside: store and cache begin empty and end with it, settings have their defaults, declared secrets the
 * value `smoke-test-<name>`, HTTP answers 200 and `{}`. What a run does to the world is noted as an effect.
 */
export function memoryContext(world: MemoryWorld, kind: CallKind): ExtensionContext {
  const { document, user, effects, call } = world;
  const { app } = document;
  const limits = RUN_LIMITS[kind];
  const owner = { appId: app.id, tenantId: user.tenant_id, userId: user.user_id };
  const note = (what: string, details: object): void => {
    if (effects.length < MAX_EFFECTS) effects.push({ what, details: JSON.parse(JSON.stringify(details)) as JsonObject });
  };
  let lines = 0;
  const context: Omit<ExtensionContext, 'asUser' | 'webhook'> = {
    app: { app_id: app.id, version: app.version },
    user: contextUser(user),
    tenant: { tenant_id: user.tenant_id, name: user.tenant_id, is_active: true, features: {}, isolation: 'shared' },
    store: promised(new MemoryStore(owner, limits.storeOperations), STORE_METHODS) as unknown as ContextStore,
    cache: promised(new MemoryCache(), CACHE_METHODS),
    http: http(new Budget('http requests', limits.httpRequests), note),
    config: settings(document),
    secrets: secrets(world),
    extensions: {
      call,
      emit: later((type: string, data: JsonObject) => note('emit', { type, data })),
    },
    notify: {
      send: later((notification: object) => {
        note('notify.send', notification);
        return { sent: true };
      }),
      forUser: () => context.notify,
    },
    ai: { complete: () => unavailable('AI') },
    billing: {
      getBalance: () => Promise.resolve(null),
      getSubscription: () => Promise.resolve(null),
      checkLimits: () => Promise.resolve(null),
      trackUsage: () => unavailable('BILLING'),
    },
    storage: {
      upload: () => unavailable('STORAGE'),
      download: () => unavailable('STORAGE'),
      delete: () => unavailable('STORAGE'),
      list: () => unavailable('STORAGE'),
    },
    skeleton: { get: () => unavailable('SKELETON') },
    time: timeInUtc(),
    log: (message, level = 'info') => {
      if (lines++ < limits.logLines) note(`log.${level}`, { message: message.slice(0, limits.logLineBytes) });
    },
    once: () => Promise.resolve(true),
    webhookUrl: (path) => `https://smoke-test.invalid/v1/ext/${app.id}/webhook/${path.replace(/^\/+/, '')}`,
    progress: () => Promise.resolve(),
    backgroundTask: () => unavailable('BACKGROUND_TASK'),
    deliverChatMessage: () => unavailable('DELIVER_CHAT_MESSAGE'),
    oauthAuthorizeUrl: () => unavailable('OAUTH_AUTHORIZE_URL'),
  };
  return restrict(context as ExtensionContext, kind, () => undefined);
}

const MAX_EFFECTS = 200;
const STORE_METHODS = ['create', 'get', 'query', 'update', 'updateMany', 'delete', 'deleteMany', 'count', 'set'] as const;
const CACHE_METHODS = ['get', 'set', 'delete', 'getOrFetch'] as const;

const later =
  <Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Result) =>
  (...parameters: Parameters): Promise<Awaited<Result>> =>
    Promise.resolve().then(() => work(...parameters)) as Promise<Awaited<Result>>;

type Promised<Part> = {
  [Key in keyof Part]: Part[Key] extends (...parameters: infer P) => infer R ? (...parameters: P) => Promise<Awaited<R>> : never;
};

const promised = <Part extends object, Key extends keyof Part>(part: Part, methods: readonly Key[]): Promised<Pick<Part, Key>> =>
  Object.fromEntries(
    methods.map((method) => [method, later((part[method] as (...parameters: unknown[]) => unknown).bind(part))]),
  ) as Promised<Pick<Part, Key>>;

const unavailable = (name: string): Promise<never> =>
  Promise.reject(new ExtensionError(`${name}_UNAVAILABLE`, 'This is not there in a smoke test.'));

function contextUser(user: RunUser): ContextUser {
  const { user_id, email, tenant_id, role, scopes, agency_id = null, org_id = null, attributes } = user;
  return {
    platform_id: user_id,
    email,
    tenant_id,
    agency_id,
    org_id,
    role,
    scopes,
    attributes: (attributes ?? {}) as JsonObject,
    is_active: true,
    hasScope: (scope) => [scope, '*', `${scope.split(':')[0] ?? ''}:*`].some((held) => scopes.includes(held)),
    hasRole: (name) => name === role,
  };
}

function http(budget: Budget, note: (what: string, details: object) => void): ContextHttp {
  const request = (method: string) =>
    later((url: string, { headers, query, json, body }: HttpBodyOptions = {}): HttpResponse => {
      budget.spend();
      note(`http.${method}`, {
        url,
        headers,
        query,
        ...(json === undefined ? { body } : { json: JSON.parse(jsonText(json)) as JsonValue }),
      });
      return { status_code: 200, headers: {}, body: {}, ok: true, bytes: Buffer.from('{}') };
    });
  return { get: request('get'), post: request('post'), put: request('put'), patch: request('patch'), delete: request('delete') };
}

function settings({ app }: AppDocument): ExtensionContext['config'] {
  const defaults = new Map(app.settings.map((setting) => [setting.name, setting.default]));
  const all = (prefix: string): JsonObject =>
    Object.fromEntries(
      [...defaults].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]),
    );
  return {
    get: (key, fallback = null) => Promise.resolve(defaults.get(key) ?? fallback),
    getSection: (prefix) => Promise.resolve(all(`${prefix}.`)),
    all: () => Promise.resolve(all('')),
  };
}

function secrets({ document, redactor }: MemoryWorld): ExtensionContext['secrets'] {
  const values = new Map<string, string | null>(document.app.secrets.map(({ name }) => [name, `smoke-test-${name}`]));
  for (const [name, value] of values) redactor.add(name, value ?? '');
  const known = (name: string): string | null => {
    const value = values.get(name);
    if (value === undefined) throw SecretErrors.undeclared(name);
    return value;
  };
  return {
    get: later(known),
    set: later((name: string, value: string) => {
      known(name);
      redactor.add(name, value);
      values.set(name, value);
    }),
    delete: later((name: string) => {
      const wasSet = known(name) !== null;
      values.set(name, null);
      return wasSet;
    }),
    isSet: later((name: string) => known(name) !== null),
    list: later(() => [...values].filter(([, value]) => value !== null).map(([name]) => name)),
  };
}

function timeInUtc(): ExtensionContext['time'] {
  const now = new Date();
  const [hour, day] = [now.getUTCHours(), now.getUTCDay()];
  return {
    timezone: 'UTC',
    utc_offset: '+00:00',
    now_utc: now.toISOString(),
    now_local: now.toISOString(),
    hour_local: hour,
    is_business_hours: day >= 1 && day <= 5 && hour >= 9 && hour < 17,
  };
}
