import { truncateText } from '@platform/contracts/text-lengths';
import {
  compileParamsCheck,
  hostsOf,
  capabilitiesOf,
  methodNames,
  type AppDocument,
  type JsonObject,
  type JsonValue,
  type SecretDeclaration,
} from '@platform/app-document';
import { restrict, SYSTEM_IDENTITY, WEBHOOK_IDENTITY, type CallKind } from '../capabilities.js';
import { assertChatMessage, MAX_CHAT_MESSAGE_BYTES, type ChatMessageOptions } from '../chat.js';
import type {
  ContextExtensions,
  ContextNotify,
  ContextStore,
  ContextUser,
  ExtensionContext,
  Notification,
} from '../context.js';
import { APP_IDENTITY, DeclaredSecrets, type SecretKeeper } from '../declared-secrets.js';
import { ExtensionError } from '../extension-error.js';
import { jsonObjectText } from '../json-text.js';
import { Budget, RUN_LIMITS } from '../run-limits.js';
import { verifySignature, type SignedRequest } from '../signatures/verify-signature.js';
import { assertEvent, DEFAULT_RETENTION_SECONDS } from '../events.js';
import { assertProgress, MAX_PROGRESS_MESSAGE } from '../progress.js';
import { RunTime } from '../time.js';
import { assertUsage } from '../usage.js';
import { assertUserId } from '../users.js';
import { MemoryCache, type CacheEntries } from './memory-cache.js';
import { memoryHttp, type Answer } from './memory-http.js';
import { MemoryDocuments, MemoryStore } from './memory-store.js';

/** An operation with an effect outside of the app, which a test records instead of running it. */
export interface Effect {
  what: string;
  details: JsonObject;
}

/** Stored data of an app, shared by its runs. */
export class MemoryPlatform {
  readonly documents = new MemoryDocuments();
  readonly cache: CacheEntries = new Map();
  readonly secrets = new Map<string, string>();
  /** Ids of events for which `once` has returned true. */
  readonly events = new Set<string>();

  /** Creates a platform where each declared secret has the value `smoke-test-<name>`. */
  static withSecrets({ app }: AppDocument, userId: string): MemoryPlatform {
    const platform = new MemoryPlatform();
    for (const secret of app.secrets) platform.setSecret(secret, userId, `smoke-test-${secret.name}`);
    return platform;
  }

  /** Sets a secret, also one that users or the app may not write. */
  setSecret({ name, scope }: Pick<SecretDeclaration, 'name' | 'scope'>, userId: string, value: string): void {
    this.secrets.set(keyOf(scope === 'app' ? APP_IDENTITY : userId, name), value);
  }
}

const keyOf = (identity: string, name: string): string => `${identity}/${name}`;

/** Billing values of the user of a run. */
export interface MemoryBilling {
  balance?: number;
  subscription?: JsonObject;
  limits?: JsonObject;
}

export interface MemoryRun {
  document: AppDocument;
  kind: CallKind;
  user: ContextUser;
  platform: MemoryPlatform;
  effects: Effect[];
  /** Calls functions of this app and of other apps. */
  call: ContextExtensions['call'];
  /** Override the defaults of the document, by dotted names. */
  settings?: JsonObject | undefined;
  /**
   * Receives every secret value that the run reads. `redactBeginning` cuts a text without leaving a
   * part of a secret in it.
   */
  redactor?:
    { addSecret(name: string, value: string): void; redactBeginning(text: string, length: number): string } | undefined;
  /** Answers HTTP requests; 200 and `{}` by default. */
  http?: Answer | undefined;
  /** Values that `ctx.billing` returns; null by default. */
  billing?: MemoryBilling | undefined;
  /**
   * Hosts that requests can reach; by default those that the document declares; null: all hosts.
   */
  hosts?: readonly string[] | null | undefined;
  /**
   * Members of the context that the version can use; by default those that the document declares;
   * null: all members.
   */
  capabilities?: readonly string[] | null | undefined;
  /** The request of a webhook run. */
  request?: SignedRequest | undefined;
}

/**
 * Creates a context for tests that needs no platform. Store, cache, secrets and `once` use the data
 * of `platform`. Other operations are recorded as `effects`, up to 200. Arguments and numbers of
 * operations have the limits of the platform. Not checked: that other users exist, and the time
 * that a run takes. Parts that tests cannot have, such as `ai` and `storage`, throw
 * `…_UNAVAILABLE`.
 */
export function memoryContext(run: MemoryRun): ExtensionContext {
  const { document, kind, user, platform, effects } = run;
  const { app } = document;
  const limits = RUN_LIMITS[kind];
  const operations = new Budget('storage operations', limits.storeOperations);
  const notifications = new Budget('notifications', limits.notifications);
  const calls = new Budget('function calls', limits.calls);
  const note = (what: string, details: object): void => {
    if (effects.length < MAX_EFFECTS)
      effects.push({ what, details: JSON.parse(JSON.stringify(details)) as JsonObject });
  };
  const isUser = user.platform_id !== WEBHOOK_IDENTITY && user.platform_id !== SYSTEM_IDENTITY;
  let lines = 0;
  const beginning = (text: string, length: number): string =>
    run.redactor?.redactBeginning(text, length) ?? truncateText(text, length);

  const storeOf = (userId: string): ContextStore => {
    const store = new MemoryStore(platform.documents, { appId: app.id, tenantId: user.tenant_id, userId }, operations);
    return Object.assign(promised(store, STORE_METHODS), {
      forUser: (other: string) => {
        assertUserId(other);
        return storeOf(other);
      },
    });
  };

  const notifyOf = (userId: string | null): ContextNotify => ({
    send: later((notification: Notification) => {
      if (userId === null)
        throw new ExtensionError('USER_MISSING', 'This run has no user. Name one: ctx.notify.forUser(id).');
      notifications.spend();
      note('notify.send', { ...notification, ...(userId !== user.platform_id && { user_id: userId }) });
      return { sent: true };
    }),
    forUser: (other) => {
      assertUserId(other);
      return notifyOf(other);
    },
  });

  const ofBilling = <Key extends keyof MemoryBilling>(key: Key) =>
    later((): Required<MemoryBilling>[Key] | null => {
      if (!isUser) throw noUser();
      operations.spend();
      return (structuredClone(run.billing?.[key]) ?? null) as Required<MemoryBilling>[Key] | null;
    });

  const context: ExtensionContext = {
    app: { app_id: app.id, version: app.version },
    user,
    tenant: { tenant_id: user.tenant_id, name: user.tenant_id, is_active: true, features: {}, isolation: 'shared' },
    store: storeOf(user.platform_id),
    cache: promised(new MemoryCache(platform.cache, user.platform_id, operations), methodNames('cache')),
    http: memoryHttp(new Budget('http requests', limits.httpRequests), note, {
      hosts: run.hosts === undefined ? hostsOf(app) : run.hosts,
      answer: run.http,
    }),
    config: configOf(document, run.settings ?? {}),
    secrets: counted(
      new DeclaredSecrets(
        keeperOf(platform.secrets),
        { appId: app.id, identity: user.platform_id },
        app.secrets,
        run.redactor ?? { addSecret: () => undefined },
      ),
      operations,
    ),
    extensions: {
      call: later((appId: string, name: string, params?: JsonObject) => {
        calls.spend();
        return run.call(appId, name, params);
      }),
      emit: later((type: string, data: JsonObject) => {
        operations.spend();
        assertEmission(document, type, data);
        note('emit', { type, data });
      }),
    },
    notify: notifyOf(isUser ? user.platform_id : null),
    ai: { complete: unavailable('AI') },
    billing: {
      getBalance: ofBilling('balance'),
      getSubscription: ofBilling('subscription'),
      checkLimits: ofBilling('limits'),
      trackUsage: later((meter: string, quantity: number) => {
        if (!isUser) throw noUser();
        assertUsage(meter, quantity);
        operations.spend();
        note('billing.trackUsage', { meter, quantity });
      }),
    },
    storage: {
      upload: unavailable('STORAGE'),
      download: unavailable('STORAGE'),
      delete: unavailable('STORAGE'),
      list: unavailable('STORAGE'),
    },
    skeleton: { get: unavailable('SKELETON') },
    webhook: {
      receivedAt: new Date(),
      verify: (options) => {
        if (!run.request)
          throw new ExtensionError('WEBHOOK_UNAVAILABLE', 'This run does not answer a webhook request.');
        return verifySignature(run.request, options);
      },
    },
    time: new RunTime(user.attributes['timezone']),
    log: (message, level = 'info') => {
      if (lines++ < limits.logLines) note(`log.${level}`, { message: beginning(message, limits.logLineBytes) });
    },
    once: later((eventId: string, retentionSeconds = DEFAULT_RETENTION_SECONDS) => {
      operations.spend();
      assertEvent(eventId, retentionSeconds);
      const isFirst = !platform.events.has(eventId);
      platform.events.add(eventId);
      return isFirst;
    }),
    webhookUrl: (path) => `https://platform.invalid/v1/ext/${app.id}/webhook/${path.replace(/^\/+/, '')}`,
    asUser: later((id: string) => {
      assertUserId(id);
      const known = {
        ...user,
        platform_id: id,
        email: null,
        role: null,
        scopes: [],
        hasScope: () => false,
        hasRole: () => false,
      };
      return memoryContext({ ...run, user: known });
    }),
    progress: later((percent: number, message?: string) => {
      assertProgress(percent, message);
      note('progress', {
        percent: Math.round(percent),
        ...(message !== undefined && { message: beginning(message, MAX_PROGRESS_MESSAGE) }),
      });
    }),
    backgroundTask: unavailable('BACKGROUND_TASK'),
    deliverChatMessage: later((text: string, options: ChatMessageOptions = {}) => {
      assertChatMessage(text, options);
      notifications.spend();
      note('deliverChatMessage', { text: beginning(text, MAX_CHAT_MESSAGE_BYTES), ...options });
    }),
    oauthAuthorizeUrl: unavailable('OAUTH'),
  };
  return restrict(
    context,
    { kind, capabilities: run.capabilities === undefined ? capabilitiesOf(app) : run.capabilities },
    () => undefined,
  );
}

const noUser = () => new ExtensionError('USER_MISSING', 'This run has no user.');

const MAX_EFFECTS = 200;
const MAX_EVENT_BYTES = 64 * 1024;

/**
 * Checks an event that the app publishes, as the platform does.
 *
 * @throws ExtensionError EVENT_TYPE_FOREIGN if the type does not begin with the app's id,
 * EVENT_NOT_DECLARED if the app does not declare it, JSON_INVALID if the data is no JSON object,
 * EVENT_TOO_LARGE above 64 KiB, EVENT_INVALID if the data does not match the declared schema.
 */
function assertEmission({ app }: AppDocument, type: string, data: JsonObject): void {
  if (!type.startsWith(`${app.id}.`)) {
    throw new ExtensionError(
      'EVENT_TYPE_FOREIGN',
      `An app can publish only its own events: "${type}" must begin with "${app.id}.".`,
    );
  }
  const declared = app.events.emits.find((emission) => emission.type === type);
  if (!declared)
    throw new ExtensionError('EVENT_NOT_DECLARED', `The app does not declare that it publishes "${type}".`);
  if (Buffer.byteLength(jsonObjectText(data)) > MAX_EVENT_BYTES) {
    throw new ExtensionError(
      'EVENT_TOO_LARGE',
      `The data of an event can have at most ${MAX_EVENT_BYTES} bytes as JSON.`,
    );
  }
  const issue = declared.payload_schema ? compileParamsCheck(declared.payload_schema)(data) : null;
  if (issue) throw new ExtensionError('EVENT_INVALID', issue.message);
}

const STORE_METHODS = methodNames('store').filter((method) => method !== 'forUser');

/** Makes a function asynchronous, so that its errors become rejected promises. */
const later =
  <Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Result) =>
  (...parameters: Parameters): Promise<Awaited<Result>> =>
    Promise.resolve().then(() => work(...parameters)) as Promise<Awaited<Result>>;

type Promised<Part> = {
  [Key in keyof Part]: Part[Key] extends (...parameters: infer P) => infer R
    ? (...parameters: P) => Promise<Awaited<R>>
    : never;
};

const promised = <Part extends object, Key extends keyof Part>(
  part: Part,
  methods: readonly Key[],
  before: () => void = () => undefined,
): Promised<Pick<Part, Key>> =>
  Object.fromEntries(
    methods.map((method) => {
      const work = (part[method] as (...parameters: unknown[]) => unknown).bind(part);
      return [
        method,
        later((...parameters: unknown[]) => {
          before();
          return work(...parameters);
        }),
      ];
    }),
  ) as Promised<Pick<Part, Key>>;

const unavailable = (name: string) => (): Promise<never> =>
  Promise.reject(new ExtensionError(`${name}_UNAVAILABLE`, 'This is not available in tests.'));

function configOf({ app }: AppDocument, settings: JsonObject): ExtensionContext['config'] {
  const all: JsonObject = {};
  const values = { ...Object.fromEntries(app.settings.map((setting) => [setting.name, setting.default])), ...settings };
  for (const [name, value] of Object.entries(values)) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    const section = path.reduce((part, key) => (part[key] ??= {}) as JsonObject, all);
    section[last] = value;
  }
  const valueAt = (key: string): JsonValue | undefined =>
    key
      .split('.')
      .reduce<JsonValue | undefined>(
        (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
        all,
      );
  return {
    get: later((key: string, fallback: JsonValue = null) => structuredClone(valueAt(key) ?? fallback)),
    getSection: later((prefix: string) => {
      const section = valueAt(prefix);
      return isObject(section) ? structuredClone(section) : {};
    }),
    all: later(() => structuredClone(all)),
  };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts each operation on secrets against the limit of the run. */
const counted = (secrets: DeclaredSecrets, operations: Budget): ExtensionContext['secrets'] =>
  promised(secrets, methodNames('secrets'), () => operations.spend());

function keeperOf(values: Map<string, string>): SecretKeeper {
  return {
    find: ({ identity }, name) => Promise.resolve(values.get(keyOf(identity, name)) ?? null),
    set: ({ identity }, name, value) => Promise.resolve(void values.set(keyOf(identity, name), value)),
    delete: ({ identity }, name) => Promise.resolve(values.delete(keyOf(identity, name))),
    namesSet: ({ identity }, names) => Promise.resolve(names.filter((name) => values.has(keyOf(identity, name)))),
  };
}
