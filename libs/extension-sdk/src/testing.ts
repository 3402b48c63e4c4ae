import {
  compileParamsCheck,
  hostsOf,
  type AppDocument,
  type HttpMethod,
  type JsonObject,
  type JsonValue,
} from '@platform/app-document';
import { SYSTEM_IDENTITY, WEBHOOK_IDENTITY, type CallKind } from './capabilities.js';
import type { ContextUser, ExtensionContext } from './context.js';
import type {
  ContextOf,
  ExtensionDefinition,
  PlatformEvent,
  WebhookDefinition,
  WebhookRequest,
  WebhookResponse,
} from './definition.js';
import { documentOfDefinition } from './document.js';
import { ExtensionError } from './extension-error.js';
import { jsonText } from './json-text.js';
import { memoryContext, MemoryPlatform, type Effect, type MemoryBilling } from './memory/memory-context.js';
import type { Answer } from './memory/memory-http.js';
import { resultOf, type HandlerResult } from './result.js';
import { RUN_LIMITS } from './run-limits.js';
import type { SignedRequest } from './signatures/verify-signature.js';
import { queryForms } from './query-forms.js';

export type { Effect, MemoryBilling } from './memory/memory-context.js';
export type { Answer, GivenResponse, SentRequest } from './memory/memory-http.js';

export type TestUser = Partial<Omit<ContextUser, 'hasScope' | 'hasRole' | 'is_active'>>;

/** A webhook request in a test. */
export interface TestRequest {
  method?: string;
  headers?: Record<string, string>;
  /** A record of parameters, where a list repeats its parameter, or the whole query string. */
  query?: string | Record<string, string | readonly string[]>;
  /** A text is sent unchanged; any other value is sent as JSON. */
  body?: JsonValue;
}

export interface TestOptions<Kind extends CallKind = CallKind> {
  extension: ExtensionDefinition;
  /** Kind of handler that the context is for; `function` by default. */
  kind?: Kind;
  /** By default `ada@example.com` in the tenant `default`, with all permissions. */
  user?: TestUser;
  /** Settings by dotted name. They override the defaults. */
  settings?: JsonObject;
  secrets?: Record<string, string>;
  /**
   * Answers requests of `ctx.http`; 200 and `{}` by default. If the extension declares `hosts`,
   * requests to other hosts are refused.
   */
  http?: Answer;
  /** Values that `ctx.billing` returns; null by default. */
  billing?: MemoryBilling;
  /** Fake functions of other apps, by `<app>.<function>`. */
  functions?: Record<string, (params: JsonObject) => unknown>;
}

export interface TestContext<Kind extends CallKind = 'function'> {
  /** Context for the `run` of a handler. One context is one run, with the limits of one run. */
  readonly ctx: ContextOf<Kind>;
  /** Requests, notifications, events and log lines of all handlers so far, oldest first. */
  readonly effects: Effect[];
  /**
   * Calls a function in a run of its own, and checks the params as the platform does. The scopes of
   * the user are not checked.
   *
   * @throws ExtensionError UNKNOWN_SUB_FUNCTION if the extension has no such function, a
   * VALIDATION_ code if the params do not match its schema, JSON_INVALID if JSON cannot represent
   * its result; and the errors that the function throws.
   */
  call(name: string, params?: JsonObject): Promise<HandlerResult>;
  /**
   * Sends a request to a webhook, in a run of its own, and returns its response; `{}` if the
   * handler returns nothing.
   *
   * @throws Error if the extension has no such webhook or it does not take the method; and the
   * errors that the handler throws.
   */
  webhook(path: string, request?: TestRequest): Promise<WebhookResponse>;
  /**
   * Runs a schedule once, as the user `userId`, for a schedule with `forEachUser`; without one, as
   * the identity `__system__`.
   *
   * @throws Error if the extension has no such schedule; and the errors that the handler throws.
   */
  schedule(name: string, userId?: string): Promise<void>;
  /**
   * Passes an event to the handler of its type, or else to the first handler with a matching
   * wildcard. `userId` is the test user by default; null: the event has no user. The type and the
   * schema of the data are not checked.
   *
   * @throws Error if no handler takes the type; ExtensionError JSON_INVALID if JSON cannot
   * represent the data; and the errors that the handler throws.
   */
  event(type: string, data: JsonObject, userId?: string | null): Promise<void>;
  /**
   * Creates a context with the same stored data and effects, for another user or another kind of
   * handler. By default, it has the same user, and the kind `function`.
   */
  as<Other extends CallKind = 'function'>(options: Pick<TestOptions<Other>, 'kind' | 'user'>): TestContext<Other>;
}

/**
 * Creates a context for tests. Store, cache, secrets and events are kept in memory, and are shared
 * with the contexts that `as` returns. It refuses operations as the platform does, but allows all
 * capabilities, and all hosts if the extension lists no `hosts`: only a build finds those that the
 * code names.
 *
 * @throws Error that lists the issues of the definition, or names a secret that it does not
 * declare.
 */
export function createTestContext<Kind extends CallKind = 'function'>(options: TestOptions<Kind>): TestContext<Kind> {
  const document = documentOfDefinition(options.extension);
  const platform = new MemoryPlatform();
  const user = userOf(options.user);
  for (const [name, value] of Object.entries(options.secrets ?? {})) {
    const declaration = document.app.secrets.find((secret) => secret.name === name);
    if (!declaration) throw new Error(`The extension declares no secret "${name}".`);
    platform.setSecret(declaration, user.platform_id, value);
  }
  return new TestRuns({ ...options, document, platform, effects: [] });
}

function queryText(query: Record<string, string | readonly string[]>): string {
  const entries = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(entries).toString();
}

interface World extends TestOptions {
  document: AppDocument;
  platform: MemoryPlatform;
  effects: Effect[];
}

class TestRuns<Kind extends CallKind> implements TestContext<Kind> {
  readonly ctx: ContextOf<Kind>;

  constructor(private readonly world: World) {
    this.ctx = this.context(world.kind ?? 'function');
  }

  get effects(): Effect[] {
    return this.world.effects;
  }

  as<Other extends CallKind = 'function'>(options: Pick<TestOptions<Other>, 'kind' | 'user'>): TestContext<Other> {
    return new TestRuns<Other>({ ...this.world, kind: undefined, ...options });
  }

  call(name: string, params: JsonObject = {}): Promise<HandlerResult> {
    const calls = new Calls(this.world);
    const ctx = this.context('function', { call: (appId, called, given) => calls.call(ctx, appId, called, given) });
    return calls.run(ctx, name, params);
  }

  async webhook(
    path: string,
    { method = 'POST', headers = {}, query = {}, body = '' }: TestRequest = {},
  ): Promise<WebhookResponse> {
    const found: WebhookDefinition | readonly WebhookDefinition[] = this.world.extension.webhooks?.[path] ?? [];
    const definitions: readonly WebhookDefinition[] = 'run' in found ? [found] : found;
    const taking = (wanted: string) =>
      definitions.findLast(({ method: taken = 'POST' }) => [taken].flat().includes(wanted as HttpMethod));
    const own = taking(method);
    const definition = own ?? (method === 'HEAD' ? taking('GET') : undefined);
    if (!definitions.length) throw new Error(`The extension has no webhook "${path}".`);
    if (!definition) throw new Error(`The webhook "${path}" does not take ${method}.`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = Buffer.from(text);
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const request: WebhookRequest = {
      method: own ? method : 'GET',
      headers: named,
      ...queryForms(typeof query === 'string' ? query : queryText(query)),
      body: text,
      body_base64: bytes.toString('base64'),
      body_encoding: 'utf-8',
      json: parsedOrNull(text),
    };
    const ctx = this.context('webhook', { request: { headers: named, body: bytes } });
    return (await definition.run(request, ctx)) ?? {};
  }

  async schedule(name: string, userId?: string): Promise<void> {
    const definition = this.world.extension.schedules?.[name];
    if (!definition) throw new Error(`The extension has no schedule "${name}".`);
    const tick = {
      name,
      trigger: 'schedule' as const,
      scheduled_for: new Date().toISOString(),
      user_id: userId ?? null,
    };
    const user = identity(userId ?? SYSTEM_IDENTITY, this.user());
    await definition.run(tick, this.context('schedule', { user }));
  }

  async event(type: string, data: JsonObject, userId: string | null = this.user().platform_id): Promise<void> {
    const { events = {} } = this.world.extension;
    const definition = events[type] ?? events[Object.keys(events).find((known) => isWithin(type, known)) ?? ''];
    if (!definition) throw new Error(`The extension handles no event "${type}".`);
    const event: PlatformEvent = {
      event_id: crypto.randomUUID(),
      type,
      event_type: type,
      timestamp: new Date().toISOString(),
      user_id: userId,
      tenant_id: this.user().tenant_id,
      data: JSON.parse(jsonText(data)) as JsonObject,
      source: type.split('.')[0] ?? type,
      schema_version: 1,
      hop: 0,
    };
    const user =
      userId === null ? identity(SYSTEM_IDENTITY, this.user()) : userOf({ ...this.world.user, platform_id: userId });
    await definition.run(event, this.context('event', { user }));
  }

  private user(): ContextUser {
    return userOf(this.world.user);
  }

  private context(
    kind: CallKind,
    more: { call?: ExtensionContext['extensions']['call']; request?: SignedRequest; user?: ContextUser } = {},
  ): ExtensionContext {
    const { extension, document, platform, effects, settings, http, billing } = this.world;
    const own = this.user();
    const user =
      { webhook: identity(WEBHOOK_IDENTITY, own), schedule: identity(SYSTEM_IDENTITY, own) }[kind as string] ?? own;
    const calls = new Calls(this.world);
    const call: ExtensionContext['extensions']['call'] = (appId, name, params) => calls.call(ctx, appId, name, params);
    // Hosts and capabilities that the code names are found only by a build.
    const hosts = extension.hosts ? hostsOf(document.app) : null;
    const capabilities = null;
    const ctx: ExtensionContext = memoryContext({
      document,
      kind,
      user,
      platform,
      effects,
      settings,
      http,
      billing,
      hosts,
      capabilities,
      call,
      ...more,
    });
    return ctx;
  }
}

/** The nested function calls of one run. Calls of other apps are answered by the test. */
class Calls {
  private readonly chain: string[] = [];

  constructor(private readonly world: World) {}

  async call(ctx: ExtensionContext, appId: string, name: string, params: JsonObject = {}): Promise<JsonValue> {
    if (appId === this.world.document.app.id) return (await this.run(ctx, name, params)).data;
    const answer = this.world.functions?.[`${appId}.${name}`];
    if (!answer) throw new ExtensionError('APP_NOT_FOUND', `The test has no function "${appId}.${name}".`);
    return copied(await answer(params));
  }

  async run(ctx: ExtensionContext, name: string, params: JsonObject): Promise<HandlerResult> {
    const { extension, document } = this.world;
    const declared = document.app.functions.find((each) => each.name === name);
    const definition = extension.functions?.[name];
    if (!declared || !definition)
      throw new ExtensionError('UNKNOWN_SUB_FUNCTION', `The extension has no function "${name}".`);
    if (this.chain.includes(name))
      throw new ExtensionError('CALL_CYCLE', `${name} is already running in this chain of calls.`);
    const { callDepth } = RUN_LIMITS.function;
    if (this.chain.length >= callDepth)
      throw new ExtensionError('CALL_TOO_DEEP', `Calls can be nested at most ${callDepth} levels deep.`);
    const issue = compileParamsCheck(declared.params_schema)(params);
    if (issue) throw new ExtensionError(issue.code, issue.message);
    this.chain.push(name);
    try {
      const returned = await definition.run(copied(params) as JsonObject, ctx);
      const { data, summary, ui } = resultOf(returned);
      return { data: copied(data), summary, ui: copied(ui) as JsonObject | null };
    } finally {
      this.chain.pop();
    }
  }
}

/**
 * Copies a value as the sandbox does, by JSON. @throws ExtensionError JSON_INVALID if JSON cannot
 * represent it.
 */
const copied = (value: unknown): JsonValue => JSON.parse(jsonText(value ?? null)) as JsonValue;

function parsedOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

const isWithin = (type: string, pattern: string): boolean =>
  pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1));

function userOf(known: TestUser = {}): ContextUser {
  const user = {
    platform_id: 'usr_ada',
    email: 'ada@example.com',
    tenant_id: 'default',
    agency_id: null,
    org_id: null,
    role: 'user',
    ...known,
  };
  const { scopes = ['*'], attributes = {} } = known;
  return {
    ...user,
    scopes,
    attributes,
    is_active: true,
    hasScope: (wanted) => {
      const [resource] = wanted.split(/[:.]/);
      return scopes
        .map((scope) => scope.replace('.', ':'))
        .some((scope) => ['*', `${resource}:*`, wanted.replace('.', ':')].includes(scope));
    },
    hasRole: (wanted) => user.role === wanted,
  };
}

/** An identity without email address, role and scopes. */
const identity = (name: string, { tenant_id }: ContextUser): ContextUser =>
  userOf({ platform_id: name, email: null, tenant_id, role: null, scopes: [] });
