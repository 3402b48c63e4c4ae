import type { Category, HttpMethod, JsonValue, SecretDeclaration, SettingDeclaration } from '@platform/app-document';
import type { Static, TSchema } from 'typebox';
import type { CallKind, CAPABILITIES } from './capabilities.js';
import type { ContextNotify, ContextStore, ExtensionContext } from './context.js';
import type { HandlerResult } from './result.js';

type Available<Kind extends CallKind> = {
  [Name in keyof typeof CAPABILITIES]: Kind extends (typeof CAPABILITIES)[Name][number] ? Name : never;
}[keyof typeof CAPABILITIES];

/** The members of a part of the context that a run of this kind may use. */
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

/** What a run of this kind may reach: the rest of `ExtensionContext` would raise CAPABILITY_UNAVAILABLE. */
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

/** Plain data, or what `result` makes. */
export type Returned = JsonLike | HandlerResult | undefined | void;
/** What JSON can say; interfaces included, which `JsonValue` does not take. */
export type JsonLike = null | boolean | number | string | object;

export interface FunctionDefinition<Params = Record<string, unknown>> {
  /** What it does, for people and for language models. */
  description: string;
  /** What it does to the world. Callers ask people before they call what destroys. `write` unless told. */
  actionType?: 'read' | 'write' | 'destructive';
  /** Of type object. What does not match never reaches `run`. Without it, there are no params. */
  params?: TSchema;
  returns?: TSchema;
  /** The scopes that the caller must hold; `*` unless told. */
  requiredScopes?: string[];
  /** What it changes, for people. */
  effects?: string[];
  /** Published as `<id>.<event>` after each success. */
  event?: string;
  run(params: Params, ctx: FunctionContext): Returned | Promise<Returned>;
}

/** The request. The forms of the body are made when they are asked for. */
export interface WebhookRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Behind the `?` of the address, as it was sent: what some providers sign. */
  readonly query: string;
  /** Of a parameter that comes several times, the last. */
  readonly query_params: Readonly<Record<string, string>>;
  /** All values of each parameter, in their order. */
  readonly query_values: Readonly<Record<string, readonly string[]>>;
  /** As text. Where the bytes are no UTF-8, U+FFFD stands for those that are none. */
  readonly body: string;
  readonly body_base64: string;
  /** `utf-8`: `body` is exact. `base64`: only `body_base64` is. */
  readonly body_encoding: 'utf-8' | 'base64';
  /** Null when the body is no JSON, or nested deeper than 32 levels. */
  readonly json: JsonValue;
}

export interface WebhookResponse {
  /** 200 unless told. */
  status_code?: number;
  headers?: Record<string, string>;
  /** A text as it is, a `Uint8Array` as bytes, anything else as JSON. */
  body?: JsonLike;
  /** Bytes, instead of `body`. */
  body_base64?: string;
}

export interface WebhookDefinition {
  description?: string;
  /** POST unless told. With several, `request.method` says which it was. A webhook that takes GET and not HEAD gets a HEAD as a GET. */
  method?: HttpMethod | readonly HttpMethod[];
  /** The header that carries the signature, which `ctx.webhook.verify` checks. */
  secretHeader?: string;
  /** Requests are stored and answered 202 at once; `run` is called afterwards, and again when it fails. */
  inbox?: boolean;
  /** Where its answers may redirect to by https, beside the platform: `app.example.com`. */
  redirectHosts?: readonly string[];
  run(request: WebhookRequest, ctx: WebhookContext): WebhookResponse | undefined | void | Promise<WebhookResponse | undefined | void>;
}

/** Why a schedule runs. */
export interface ScheduleTick {
  readonly name: string;
  /** Whether its time came, or its developer had it run. */
  readonly trigger: 'schedule' | 'manual';
  /** The time that it was due. */
  readonly scheduled_for: string;
  /** With `forEachUser`, whom this run is for; it is a run of that user then. */
  readonly user_id: string | null;
}

export interface ScheduleDefinition {
  description?: string;
  /** Five fields in UTC, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  cron: string;
  /** Runs once for each user who has a document in this collection. */
  forEachUser?: string;
  run(tick: ScheduleTick, ctx: ScheduleContext): unknown;
}

/** An event as its handlers get it. */
export interface PlatformEvent<Data = Record<string, unknown>> {
  readonly event_id: string;
  readonly type: string;
  /** The same as `type`. */
  readonly event_type: string;
  readonly timestamp: string;
  /** Null for an event of nobody. */
  readonly user_id: string | null;
  readonly tenant_id: string;
  readonly data: Data;
  /** The extension that published it, or `platform`. */
  readonly source: string;
  readonly schema_version: number;
  /** How many handlers of events led to it, one after the other. */
  readonly hop: number;
}

export interface EventDefinition<Data = Record<string, unknown>> {
  /** For the type of `event.data`: nothing is checked by it, since whoever publishes the event does that. */
  data?: TSchema;
  run(event: PlatformEvent<Data>, ctx: EventContext): unknown;
}

/** An event that the app publishes; its data is checked by the schema then. Null: any data. */
export type EmittedEvent = TSchema | null;

export type SecretDefinition = Partial<Omit<SecretDeclaration, 'name' | 'write_mode' | 'max_bytes' | 'rotation_hint_days'>> & {
  writeMode?: SecretDeclaration['write_mode'];
  maxBytes?: number;
  rotationHintDays?: number;
};

export type SettingDefinition = Pick<SettingDeclaration, 'type'> & Partial<Omit<SettingDeclaration, 'name' | 'type'>>;

export interface ExtensionDefinition {
  /** 2 to 64 letters, digits, `_` and `-`. It never changes. */
  id: string;
  /** Semantic. Once the app is under review, in the marketplace or suspended, increase it for every deploy with other content. */
  version: string;
  /** What people call it; its id unless told. */
  name?: string;
  description?: string;
  /** An emoji, the address of an image, or SVG. */
  icon?: string;
  /** Where people read more about it: an address that begins with `https://`. */
  homepage?: string;
  /** Such as `MIT`. */
  license?: string;
  /** What the marketplace files it under. */
  category?: Category;
  /**
   * The only hosts that it sends requests to, such as `api.example.com`, with the port where that is neither 80 nor 443; `*` stands for all. Left out: those
   * whose addresses stand in its code as such.
   */
  hosts?: readonly string[];
  /** What of `ctx` its code uses without naming it, such as `notify` for `ctx[name]`; and scopes that it asks its users for, such as `notes:read`. */
  capabilities?: string[];
  /** By name. `defineFunction` makes those with params. */
  functions?: Record<string, FunctionDefinition>;
  /**
   * By path, such as `github/push`: they are called at `/v1/ext/<id>/webhook/<path>`, and at `/v1/ext/<id>/draft/webhook/<path>` while the
   * extension is not published. A list: one for each method.
   */
  webhooks?: Record<string, WebhookDefinition | readonly WebhookDefinition[]>;
  schedules?: Record<string, ScheduleDefinition>;
  /** By the type of the events that they handle, such as `tasks.added`, or `tasks.*`. */
  events?: Record<string, EventDefinition>;
  /** By type, which begins with the id and a dot. */
  emits?: Record<string, EmittedEvent>;
  secrets?: Record<string, SecretDefinition>;
  /** By dotted name, as `ctx.config.get` takes it. */
  settings?: Record<string, SettingDefinition>;
}

/** The default export of an extension. Gives what it is given, so that tests can call what is in it. */
export const defineExtension = <const Definition extends ExtensionDefinition>(definition: Definition): Definition => definition;

/** A function whose `run` gets what `params` describes. */
export const defineFunction = <Params extends TSchema>(
  definition: FunctionDefinition<Static<Params>> & { params: Params },
): FunctionDefinition<Static<Params>> => definition;

/** A handler of events whose data is what `data` describes. */
export const defineEventHandler = <Data extends TSchema>(
  definition: EventDefinition<Static<Data>> & { data: Data },
): EventDefinition<Static<Data>> => definition;
