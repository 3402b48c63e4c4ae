import type { ChatMessageOptions } from './chat.js';
import type { JsonObject, JsonValue } from '@platform/app-document';
import type { DocumentPage, QueryOptions, Selection, StoredDocument, SystemListOptions, UserPage } from './documents.js';
import type { Verification, VerifyOptions } from './signatures/verify-signature.js';

/**
 * All that a run of an extension can reach: declarative steps and code are given the same. `CAPABILITIES` says which member is available
 * to which kind of call; each of the others raises. Every failure that an extension may handle is an `ExtensionError`, and everything
 * counts against the limits of the run. Once the run is over, by its end or its deadline, every member raises.
 */
export interface ExtensionContext {
  readonly app: { readonly app_id: string; readonly version: string };
  readonly user: ContextUser;
  readonly tenant: ContextTenant;
  readonly store: ContextStore;
  readonly http: ContextHttp;
  readonly config: ContextConfig;
  readonly secrets: ContextSecrets;
  readonly cache: ContextCache;
  readonly extensions: ContextExtensions;
  readonly notify: ContextNotify;
  readonly ai: ContextAi;
  readonly billing: ContextBilling;
  readonly storage: ContextStorage;
  readonly skeleton: ContextSkeleton;
  readonly webhook: ContextWebhook;
  readonly time: ContextTime;

  /** Writes a line into the log of the app. Values of secrets that the run has read are blacked out. Lines beyond the limit are dropped. */
  log(message: string, level?: LogLevel): void;
  /** True for the run that is to do an event from outside, false when it is done. See `OnceEvents.once`. */
  once(eventId: string, retentionSeconds?: number): Promise<boolean>;
  /** The public address of one of the app's webhooks, whether it has such a webhook or not. */
  webhookUrl(path: string): string;
  /** The same app as a user of its tenant. */
  asUser(userId: string): Promise<ExtensionContext>;
  /**
   * Tells how far it is, from 0 to 100: whoever follows the task sees it, at most once a second. Of a run for which somebody waits it is seen nowhere.
   *
   * @throws ExtensionError TASK_CANCELLED when the task was cancelled, PROGRESS_INVALID.
   */
  progress(percent: number, message?: string): Promise<void>;
  /** Goes on with a function of the app after the run has ended: for up to 180 s, `longRunning` for up to 1800 s. */
  backgroundTask(functionName: string, params: JsonObject, options?: { longRunning?: boolean }): Promise<{ task_id: string }>;
  /**
   * Says something to the user, who follows it on their stream of events. At most 64 KiB, 30 times a minute to one user, and one of the notifications of the run.
   *
   * @throws ExtensionError CHAT_MESSAGE_INVALID, CHAT_MESSAGE_TOO_LARGE, CHAT_REFUSED, CHAT_UNAVAILABLE.
   */
  deliverChatMessage(text: string, options?: ChatMessageOptions): Promise<void>;
  /** Where the user allows the app to act for them at a provider that the app declares. */
  oauthAuthorizeUrl(provider: string): Promise<string>;
}

export type LogLevel = 'info' | 'warning' | 'error';

/** Who the run is: a user, or an identity of the app such as `__webhook__`, which has no e-mail and no scopes. */
export interface ContextUser {
  readonly platform_id: string;
  readonly email: string | null;
  readonly tenant_id: string;
  readonly agency_id: string | null;
  readonly org_id: string | null;
  readonly role: string | null;
  readonly scopes: readonly string[];
  readonly attributes: Readonly<JsonObject>;
  readonly is_active: boolean;
  /** By its name, by `*`, or by the `*` of its resource. */
  hasScope(scope: string): boolean;
  hasRole(role: string): boolean;
}

export interface ContextTenant {
  readonly tenant_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly features: Readonly<JsonObject>;
  readonly isolation: 'shared' | 'dedicated';
}

/** The documents of the app, of the user that the run is. */
export interface ContextStore {
  create(collection: string, data: JsonObject): Promise<StoredDocument>;
  /** Null when there is none. */
  get(collection: string, id: string): Promise<StoredDocument | null>;
  /** A page of those that match. */
  query(collection: string, options?: QueryOptions): Promise<DocumentPage>;
  /** Puts the fields over those that are there. @throws ExtensionError STORE_NOT_FOUND, STORE_CONFLICT when `ifMatch` is no longer the etag. */
  update(collection: string, id: string, changes: JsonObject, ifMatch?: string): Promise<StoredDocument>;
  /** Up to 1000 documents, all or none; returns their ids. */
  updateMany(collection: string, selection: Selection, changes: JsonObject): Promise<string[]>;
  /** False when there was none. */
  delete(collection: string, id: string): Promise<boolean>;
  /** Up to 1000 documents; returns their ids. */
  deleteMany(collection: string, selection: Selection): Promise<string[]>;
  count(collection: string, selection?: Selection): Promise<number>;
  /** Makes or replaces the document at `collection/id`. */
  set(path: string, data: JsonObject): Promise<StoredDocument>;
  /**
   * The documents of the same app for a user who has it: in an event one of its tenant, else of any. Its operations throw ExtensionError
   * USER_NOT_AVAILABLE for anybody else.
   */
  forUser(userId: string): ContextStore;
  /** Users that have documents in a collection. */
  listUsers(collection: string, options?: SystemListOptions): Promise<UserPage>;
  /** The documents of all users in a collection. */
  queryAll(collection: string, options?: SystemListOptions): Promise<DocumentPage>;
}

export interface HttpOptions {
  headers?: Record<string, string>;
  /** Added to what the address has. A list gives a parameter several times. */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]>;
  /** 30 unless told, at most 180, and never longer than the run has. */
  timeoutSeconds?: number;
}

export interface HttpBodyOptions extends HttpOptions {
  /** Sent as JSON. */
  json?: JsonValue;
  /** Sent as it is, instead of `json`. */
  body?: string | Uint8Array;
}

export interface HttpResponse {
  status_code: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed where it is JSON by its content type, else text. */
  body: JsonValue;
  /** Whether the status is below 400. */
  ok: boolean;
  /** As it was received. */
  bytes: Uint8Array;
}

/**
 * Public hosts only, and of these the ones that the document asks for (`hosts`). Up to five redirects are followed, to such hosts.
 *
 * @throws ExtensionError EGRESS_….
 */
export interface ContextHttp {
  get(url: string, options?: HttpOptions): Promise<HttpResponse>;
  post(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  put(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  patch(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  delete(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
}

/** What platform, tenant, role, app and user have set, merged. */
export interface ContextConfig {
  /** `key` is dotted. Null when nobody has set it and there is no default. */
  get(key: string, fallback?: JsonValue): Promise<JsonValue>;
  getSection(prefix: string): Promise<JsonObject>;
  all(): Promise<JsonObject>;
}

/** Secrets that the app declares. @throws ExtensionError SECRET_…, SECRETS_UNAVAILABLE. */
export interface ContextSecrets {
  /** Null when it is not set. */
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** False when it was not set. */
  delete(name: string): Promise<boolean>;
  isSet(name: string): Promise<boolean>;
  /** The names of those that are set. */
  list(): Promise<string[]>;
}

/** Values that may be gone at any time, for the user that the run is. @throws ExtensionError CACHE_…. */
export interface ContextCache {
  /** Undefined when there is none. */
  get(key: string): Promise<JsonValue | undefined>;
  /** For 5 to 300 s, 60 unless told. */
  set(key: string, value: JsonValue, ttlSeconds?: number): Promise<void>;
  /** False when there was none. */
  delete(key: string): Promise<boolean>;
  /** What is there, or else what `fetch` gives, which is kept then. */
  getOrFetch(key: string, fetch: () => Promise<JsonValue>, ttlSeconds?: number): Promise<JsonValue>;
}

export interface ContextExtensions {
  /**
   * The data that a function of this app, or of one that is installed, answers.
   *
   * @throws ExtensionError with the code of the function that failed, or CALL_CYCLE, CALL_TOO_DEEP, PERMISSION_DENIED.
   */
  call(appId: string, functionName: string, params?: JsonObject): Promise<JsonValue>;
  /**
   * Publishes an event of this app; its type begins with the id of the app.
   *
   * @throws ExtensionError EVENT_…; RUN_REFUSED in a run about the app's removal.
   */
  emit(eventType: string, data: JsonObject): Promise<void>;
}

export interface Notification {
  message: string;
  channel?: string;
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  subject?: string;
  body?: string;
}

export interface ContextNotify {
  send(notification: Notification): Promise<{ sent: boolean }>;
  forUser(userId: string): ContextNotify;
}

export interface ContextAi {
  /** @throws ExtensionError AI_UNAVAILABLE where no model is configured. */
  complete(
    prompt: string,
    options?: { model?: string; temperature?: number; maxTokens?: number; output?: JsonValue },
  ): Promise<{ text: string; model: string; usage: JsonObject; stop_reason: string }>;
}

/**
 * What the user of the run has, to be asked before something that costs. What an app costs itself is in its prices: it charges nothing here. What is read is
 * null when billing cannot be asked, and when an API key led to the run that was not given `billing:read`.
 *
 * @throws ExtensionError USER_MISSING in a run of no user.
 */
export interface ContextBilling {
  /** Credits that the user can spend now. */
  getBalance(): Promise<number | null>;
  /** As `GET /v1/billing/subscription`: `plan`, `status`, `expires_at` and more. */
  getSubscription(): Promise<JsonObject | null>;
  /** As `GET /v1/billing/usage`: what was used in this period, the limits, and which are exceeded. Of apps it has the meters of this one. */
  checkLimits(): Promise<JsonObject | null>;
  /**
   * Counts what the app did for the user, such as `pages`: it shows among what they use, as `app:<app_id>:<meter>`. It has no limit and costs nothing.
   * An app has up to 20 meters of a user in a period.
   *
   * @throws ExtensionError BILLING_METER_INVALID, BILLING_QUANTITY_INVALID, BILLING_REFUSED for a meter too many, BILLING_UNAVAILABLE.
   */
  trackUsage(meter: string, quantity: number): Promise<void>;
}

export interface StoredFile {
  path: string;
  size: number;
  content_type: string;
  created_at: string;
  url: string;
}

export interface ContextStorage {
  upload(path: string, bytes: Uint8Array, contentType: string): Promise<StoredFile>;
  /** Null when there is none. */
  download(path: string): Promise<Uint8Array | null>;
  delete(path: string): Promise<boolean>;
  list(prefix?: string, cursor?: string): Promise<{ data: StoredFile[]; cursor: string | null }>;
}

export interface ContextSkeleton {
  /** What was made last; null when nothing was. */
  get(section: string): Promise<JsonValue>;
}

export interface ContextWebhook {
  /** When the request came: of a delivery of an inbox, before the run. */
  readonly receivedAt: Date;
  /** Whether the request that the run answers was signed, over the bytes that arrived. See `verifySignature`. */
  verify(options: VerifyOptions): Verification;
}

export interface ContextTime {
  /** Of the user, such as `Europe/Prague`; UTC when none is known. */
  readonly timezone: string;
  /** `+02:00`. */
  readonly utc_offset: string;
  readonly now_utc: string;
  readonly now_local: string;
  readonly hour_local: number;
  readonly is_business_hours: boolean;
}
