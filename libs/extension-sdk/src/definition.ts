import type { Category, HttpMethod, JsonValue, SecretDeclaration, SettingDeclaration } from '@platform/app-document';
import type { Static, TSchema } from 'typebox';
import type { CallKind, CAPABILITIES } from './capabilities.js';
import type { ContextNotify, ContextStore, ExtensionContext } from './context.js';
import type { HandlerResult } from './result.js';

type Available<Kind extends CallKind> = {
  [Name in keyof typeof CAPABILITIES]: Kind extends (typeof CAPABILITIES)[Name][number] ? Name : never;
}[keyof typeof CAPABILITIES];

/** Members of one part of the context that a handler of this kind can use. */
type Part<Name extends string, Members, Kind extends CallKind> = Omit<
  Members,
  {
    [Key in keyof Members & string]: `${Name}.${Key}` extends keyof typeof CAPABILITIES
      ? `${Name}.${Key}` extends Available<Kind>
        ? never
        : Key
      : never;
  }[keyof Members & string]
>;

/**
 * Members of the context that a handler of this kind can use. The others throw
 * CAPABILITY_UNAVAILABLE.
 */
export type ContextOf<Kind extends CallKind> = Omit<
  Pick<ExtensionContext, Extract<keyof ExtensionContext, Available<Kind>>>,
  'store' | 'notify'
> &
  ('store' extends Available<Kind> ? { readonly store: Part<'store', ContextStore, Kind> } : unknown) &
  ('notify' extends Available<Kind> ? { readonly notify: Part<'notify', ContextNotify, Kind> } : unknown);

export type FunctionContext = ContextOf<'function'>;
export type WebhookContext = ContextOf<'webhook'>;
export type ScheduleContext = ContextOf<'schedule'>;
export type EventContext = ContextOf<'event'>;

/** Plain data, or the return value of `result`. */
export type Returned = JsonLike | HandlerResult | undefined | void;
/** Any value that JSON can represent. Accepts interfaces, which `JsonValue` does not. */
export type JsonLike = null | boolean | number | string | object;

export interface FunctionDefinition<Params = Record<string, unknown>> {
  /** Purpose of the function, for people and for language models. */
  description: string;
  /**
   * Effect of the function, `write` by default. Clients ask the user before they call a
   * `destructive` function.
   */
  actionType?: 'read' | 'write' | 'destructive';
  /**
   * A schema of type object. Calls that do not match are refused before `run`. Without a schema,
   * the function has no params.
   */
  params?: TSchema;
  returns?: TSchema;
  /** Scopes that the caller must have; `*` by default. */
  requiredScopes?: string[];
  /** Short descriptions of the changes that the function makes, for people. */
  effects?: string[];
  /** Name of an event that is published as `<id>.<event>` after each success. */
  event?: string;
  run(params: Params, ctx: FunctionContext): Returned | Promise<Returned>;
}

/** A webhook request. The different forms of the body are computed on first use. */
export interface WebhookRequest {
  readonly method: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Query string after the `?`, unchanged: some providers sign it. */
  readonly query: string;
  /** The last value of each parameter. */
  readonly query_params: Readonly<Record<string, string>>;
  /** All values of each parameter, in order. */
  readonly query_values: Readonly<Record<string, readonly string[]>>;
  /** Body as text. U+FFFD replaces bytes that are not valid UTF-8. */
  readonly body: string;
  readonly body_base64: string;
  /** `utf-8`: `body` is exact. `base64`: only `body_base64` is exact. */
  readonly body_encoding: 'utf-8' | 'base64';
  /** Null if the body is not JSON, or is nested deeper than 32 levels. */
  readonly json: JsonValue;
}

export interface WebhookResponse {
  /** 200 by default. */
  status_code?: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged, a `Uint8Array` as bytes, any other value as JSON. */
  body?: JsonLike;
  /** Base64 of the bytes to send instead of `body`. */
  body_base64?: string;
}

export interface WebhookDefinition {
  description?: string;
  /**
   * POST by default. With several methods, `request.method` has the method of the request. A
   * webhook with GET but not HEAD receives HEAD requests as GET.
   */
  method?: HttpMethod | readonly HttpMethod[];
  /** Header with the signature that `ctx.webhook.verify` checks. */
  secretHeader?: string;
  /** Stores requests and answers 202 at once. `run` is called later, and again after a failure. */
  inbox?: boolean;
  /**
   * Hosts that a response can redirect to over https, in addition to the platform:
   * `app.example.com`.
   */
  redirectHosts?: readonly string[];
  run(
    request: WebhookRequest,
    ctx: WebhookContext,
  ): WebhookResponse | undefined | void | Promise<WebhookResponse | undefined | void>;
}

/** Facts about one run of a schedule. */
export interface ScheduleTick {
  readonly name: string;
  /** `manual` if the developer started the run. */
  readonly trigger: 'schedule' | 'manual';
  /** Time when the run was due. */
  readonly scheduled_for: string;
  /** With `forEachUser`, the user whose run this is. */
  readonly user_id: string | null;
}

export interface ScheduleDefinition {
  description?: string;
  /**
   * Cron expression of five fields, in UTC, or `@hourly`, `@daily`, `@weekly`, `@monthly`,
   * `@yearly`.
   */
  cron: string;
  /** Name of a collection. The schedule runs once for each user who has a document in it. */
  forEachUser?: string;
  run(tick: ScheduleTick, ctx: ScheduleContext): unknown;
}

/** An event that a handler receives. */
export interface PlatformEvent<Data = Record<string, unknown>> {
  readonly event_id: string;
  readonly type: string;
  /** Same value as `type`. */
  readonly event_type: string;
  readonly timestamp: string;
  /** Null if the event belongs to no user. */
  readonly user_id: string | null;
  readonly tenant_id: string;
  readonly data: Data;
  /** The app that published the event, or `platform`. */
  readonly source: string;
  readonly schema_version: number;
  /** Number of event handlers that led to this event in a chain. */
  readonly hop: number;
}

export interface EventDefinition<Data = Record<string, unknown>> {
  /** Schema for the type of `event.data`. It is not checked here: the publisher checks the data. */
  data?: TSchema;
  run(event: PlatformEvent<Data>, ctx: EventContext): unknown;
}

/**
 * Schema of the data of an event that the app publishes; published data must match it. Null: any
 * data.
 */
export type EmittedEvent = TSchema | null;

export type SecretDefinition = Partial<
  Omit<SecretDeclaration, 'name' | 'write_mode' | 'max_bytes' | 'rotation_hint_days'>
> & {
  writeMode?: SecretDeclaration['write_mode'];
  maxBytes?: number;
  rotationHintDays?: number;
};

export type SettingDefinition = Pick<SettingDeclaration, 'type'> & Partial<Omit<SettingDeclaration, 'name' | 'type'>>;

export interface ExtensionDefinition {
  /** 2 to 64 letters, digits, `_` and `-`. An id never changes. */
  id: string;
  /**
   * Semantic version. An app that is under review, published or suspended needs a higher version
   * for each deploy with different content.
   */
  version: string;
  /** Display name; the id by default. */
  name?: string;
  description?: string;
  /** An emoji, the address of an image, or SVG. */
  icon?: string;
  /** Address of a page about the app; it begins with `https://`. */
  homepage?: string;
  /** License name, such as `MIT`. */
  license?: string;
  /** Category in the marketplace. */
  category?: Category;
  /**
   * The only hosts that the app can send requests to, such as `api.example.com`. Add the port
   * unless it is 80 or 443. `*` allows all hosts. By default, the hosts of the literal URLs in the
   * code.
   */
  hosts?: readonly string[];
  /**
   * Members of `ctx` that the code uses without naming them, such as `notify` for `ctx[name]`; and
   * scopes that the app asks of its users, such as `notes:read`.
   */
  capabilities?: string[];
  /** Functions by name. Use `defineFunction` for functions with params. */
  functions?: Record<string, FunctionDefinition>;
  /**
   * Webhooks by path, such as `github/push`. Their address is `/v1/ext/<id>/webhook/<path>`, or
   * `/v1/ext/<id>/draft/webhook/<path>` before the app is published. A list has one webhook for
   * each method.
   */
  webhooks?: Record<string, WebhookDefinition | readonly WebhookDefinition[]>;
  schedules?: Record<string, ScheduleDefinition>;
  /** Handlers by event type, such as `tasks.added` or `tasks.*`. */
  events?: Record<string, EventDefinition>;
  /** Published events by type. A type begins with the id of the app and a dot. */
  emits?: Record<string, EmittedEvent>;
  secrets?: Record<string, SecretDefinition>;
  /** Settings by the dotted name that `ctx.config.get` takes. */
  settings?: Record<string, SettingDefinition>;
}

/**
 * Marks an extension for the build and gives it its types; export the result as default. Returns
 * its argument unchanged, so tests can call the handlers in it.
 */
export const defineExtension = <const Definition extends ExtensionDefinition>(definition: Definition): Definition =>
  definition;

/**
 * Returns the definition of a function unchanged, with the type of its params taken from the
 * `params` schema.
 */
export const defineFunction = <Params extends TSchema>(
  definition: FunctionDefinition<Static<Params>> & { params: Params },
): FunctionDefinition<Static<Params>> => definition;

/**
 * Returns the definition of an event handler unchanged, with the type of `event.data` taken from
 * the `data` schema.
 */
export const defineEventHandler = <Data extends TSchema>(
  definition: EventDefinition<Static<Data>> & { data: Data },
): EventDefinition<Static<Data>> => definition;
