import type { ChatMessageOptions } from './chat.js';
import type { JsonObject, JsonValue } from '@platform/app-document';
import type {
  DocumentPage,
  QueryOptions,
  Selection,
  StoredDocument,
  SystemListOptions,
  UserPage,
} from './documents.js';
import type { Verification, VerifyOptions } from './signatures/verify-signature.js';

/**
 * Everything that a handler can use during a run. Steps and JavaScript handlers get the same
 * members.
 *
 * `CAPABILITIES` lists which members each kind of handler has; the others throw
 * CAPABILITY_UNAVAILABLE. A failure that a handler can catch is an `ExtensionError`. All operations
 * count against the limits of the run. After the run ends or reaches its deadline, every member
 * throws.
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

  /**
   * Writes a line to the log of the app, at most 4 KiB of it. Secret values that this run has read
   * or set are redacted. Lines above the limit of the run are dropped.
   */
  log(message: string, level?: LogLevel): void;
  /**
   * True if this run should process the external event; false if the event was already processed.
   * An event counts as processed once a run that got true succeeds. The app remembers it for
   * `retentionSeconds`: from 60 to 2,592,000 (30 days), 7 days by default.
   *
   * @throws ExtensionError EVENT_IN_PROGRESS while another run processes the event (retryable),
   * EVENT_ID_INVALID unless the id has 1 to 255 characters, EVENT_RETENTION_INVALID for another
   * retention.
   */
  once(eventId: string, retentionSeconds?: number): Promise<boolean>;
  /**
   * Public address of a webhook of the app. Does not check that the app declares the webhook.
   *
   * @throws ExtensionError WEBHOOK_URL_UNAVAILABLE while the platform does not know the address
   * (retryable).
   */
  webhookUrl(path: string): string;
  /**
   * A context of the same app that acts as the given user.
   *
   * @throws ExtensionError USER_NOT_AVAILABLE if the user does not exist or does not have the app,
   * USER_INVALID if the text cannot be a user id, AS_USER_UNAVAILABLE if the platform cannot check
   * it now (retryable).
   */
  asUser(userId: string): Promise<ExtensionContext>;
  /**
   * Reports the progress of a task (a call whose caller does not wait for the result), from 0 to
   * 100, rounded. Clients that follow the task receive it at most once a second, with up to 500
   * characters of `message`, in which secret values that this run has read are redacted. It has no
   * effect in a call that answers its caller directly.
   *
   * @throws ExtensionError TASK_CANCELLED if the task was cancelled, PROGRESS_INVALID for another
   * number or a message that is no text.
   */
  progress(percent: number, message?: string): Promise<void>;
  /**
   * Starts a function of the app that continues after this run: for up to 180 s, or 1800 s with
   * `longRunning`. Not available yet.
   *
   * @throws ExtensionError BACKGROUND_TASK_UNAVAILABLE on every call.
   */
  backgroundTask(
    functionName: string,
    params: JsonObject,
    options?: { longRunning?: boolean },
  ): Promise<{ task_id: string }>;
  /**
   * Sends a message to the user's event stream: at most 64 KiB each, and 30 a minute per user.
   * Secret values that this run has read are redacted. Each message counts against the notification
   * limit of the run.
   *
   * @throws ExtensionError CHAT_MESSAGE_INVALID for an empty text or invalid options,
   * CHAT_MESSAGE_TOO_LARGE, USER_MISSING if the run has no user, CHAT_REFUSED if the platform
   * refuses it (retryable if there are too many), CHAT_UNAVAILABLE if the platform cannot be
   * reached (retryable).
   */
  deliverChatMessage(text: string, options?: ChatMessageOptions): Promise<void>;
  /**
   * Address of the page where the user authorizes the app at a provider that the app declares. Not
   * available yet.
   *
   * @throws ExtensionError OAUTH_UNAVAILABLE on every call.
   */
  oauthAuthorizeUrl(provider: string): Promise<string>;
}

export type LogLevel = 'info' | 'warning' | 'error';

/**
 * The identity of the run: a user, or an identity of the app such as `__webhook__`, which has no
 * email address and no scopes.
 */
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
  /** True if the user has the scope itself, `*`, or `*` for its resource, such as `notes:*`. */
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

/**
 * Documents of the app that belong to the user of the run.
 *
 * @throws ExtensionError STORE_COLLECTION_INVALID, STORE_ID_INVALID, STORE_LIMIT_INVALID and the
 * like for invalid arguments, JSON_INVALID for data that JSON cannot represent,
 * STORE_DOCUMENT_TOO_LARGE above 256 KiB, STORE_FULL if the app has too many documents,
 * BUDGET_EXCEEDED after too many operations of the run.
 */
export interface ContextStore {
  create(collection: string, data: JsonObject): Promise<StoredDocument>;
  /** Returns a document; null if it does not exist. */
  get(collection: string, id: string): Promise<StoredDocument | null>;
  /**
   * Returns one page of the documents that match.
   *
   * @throws ExtensionError STORE_CURSOR_INVALID for a cursor of another list, STORE_ORDER_INVALID
   * for an impossible sort key.
   */
  query(collection: string, options?: QueryOptions): Promise<DocumentPage>;
  /**
   * Merges the changes into the top-level fields of a document, and returns it.
   *
   * @throws ExtensionError STORE_NOT_FOUND, or STORE_CONFLICT if `ifMatch` is not the current etag.
   */
  update(collection: string, id: string, changes: JsonObject, ifMatch?: string): Promise<StoredDocument>;
  /**
   * Merges the changes into the selected documents, at most the first 1000 by id: all of these or
   * none. Returns their ids.
   */
  updateMany(collection: string, selection: Selection, changes: JsonObject): Promise<string[]>;
  /** Deletes a document. False if it did not exist. */
  delete(collection: string, id: string): Promise<boolean>;
  /** Deletes the selected documents, at most the first 1000 by id. Returns their ids. */
  deleteMany(collection: string, selection: Selection): Promise<string[]>;
  count(collection: string, selection?: Selection): Promise<number>;
  /** Creates or replaces the document at the path `collection/id`. */
  set(path: string, data: JsonObject): Promise<StoredDocument>;
  /**
   * Documents of the same app that belong to another user who has installed it. In an event
   * handler, the user must be of the tenant of the event. In a webhook of a draft, only the
   * developer is allowed.
   *
   * @throws ExtensionError USER_INVALID if the text cannot be a user id; USER_NOT_AVAILABLE for
   * another user than these, here or in the first operation.
   */
  forUser(userId: string): ContextStore;
  /** Lists the users that have documents in the collection. */
  listUsers(collection: string, options?: SystemListOptions): Promise<UserPage>;
  /** Lists the documents of all users in the collection. */
  queryAll(collection: string, options?: SystemListOptions): Promise<DocumentPage>;
}

export interface HttpOptions {
  headers?: Record<string, string>;
  /** Parameters to add to the query of the URL. A list repeats its parameter. */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]>;
  /** 30 by default, at most 180, and never longer than the rest of the run. */
  timeoutSeconds?: number;
}

export interface HttpBodyOptions extends HttpOptions {
  /** Body to send as JSON. */
  json?: JsonValue;
  /** Body to send unchanged, instead of `json`. */
  body?: string | Uint8Array;
}

export interface HttpResponse {
  status_code: number;
  /** Header names are in lower case. */
  headers: Record<string, string>;
  /** The parsed value if the content type is JSON, otherwise text. */
  body: JsonValue;
  /** True if the status is below 400. */
  ok: boolean;
  /** The body as received. */
  bytes: Uint8Array;
}

/**
 * HTTP client for public hosts that the app lists in `hosts`. Follows up to five redirects, to such
 * hosts only. A response with an error status is returned, not thrown.
 *
 * @throws ExtensionError EGRESS_HOST_NOT_DECLARED for another host, EGRESS_ADDRESS_REFUSED for a
 * host that is not public, EGRESS_TIMEOUT, EGRESS_FAILED and other codes with EGRESS_ if no
 * complete response arrives.
 */
export interface ContextHttp {
  get(url: string, options?: HttpOptions): Promise<HttpResponse>;
  post(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  put(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  patch(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
  delete(url: string, options?: HttpBodyOptions): Promise<HttpResponse>;
}

/** Merged settings of the platform, the tenant, the role, the app and the user. */
export interface ContextConfig {
  /**
   * Returns the value of a setting. `key` is a dotted name. Without a value and a default, it
   * returns `fallback`, or null without one.
   */
  get(key: string, fallback?: JsonValue): Promise<JsonValue>;
  getSection(prefix: string): Promise<JsonObject>;
  all(): Promise<JsonObject>;
}

/**
 * Secrets that the app declares.
 *
 * @throws ExtensionError SECRET_UNDECLARED for another name, SECRET_READ_ONLY if only users can set
 * it, SECRET_INVALID for a value that is empty or too long, SECRETS_UNAVAILABLE if secrets cannot
 * be read now (retryable).
 */
export interface ContextSecrets {
  /** Returns the value; null if the secret is not set. */
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** Deletes the value. False if the secret was not set. */
  delete(name: string): Promise<boolean>;
  isSet(name: string): Promise<boolean>;
  /** Names of the secrets that are set. */
  list(): Promise<string[]>;
}

/**
 * Short-lived values of the user of the run. A value can disappear at any time.
 *
 * @throws ExtensionError CACHE_KEY_INVALID, CACHE_TTL_INVALID, CACHE_VALUE_TOO_LARGE above 64 KiB,
 * JSON_INVALID for a value that JSON cannot represent.
 */
export interface ContextCache {
  /** Returns the value; undefined if the key has none. */
  get(key: string): Promise<JsonValue | undefined>;
  /** Keeps the value for 5 to 300 s, 60 by default. */
  set(key: string, value: JsonValue, ttlSeconds?: number): Promise<void>;
  /** Deletes the value. False if the key had none. */
  delete(key: string): Promise<boolean>;
  /** The cached value, or else the result of `fetch`, which is then cached. */
  getOrFetch(key: string, fetch: () => Promise<JsonValue>, ttlSeconds?: number): Promise<JsonValue>;
}

export interface ContextExtensions {
  /**
   * Calls a function of this app or of another installed app. Returns its data. A function of this
   * app shares the time and the limits of this run.
   *
   * @throws ExtensionError with the code of the failed function, such as PERMISSION_DENIED if the
   * app or its user lacks a scope; CALL_CYCLE if the function is already running in this chain of
   * calls, CALL_TOO_DEEP if the chain is too long, UNKNOWN_SUB_FUNCTION or EXTENSION_NOT_FOUND if
   * it does not exist, EXTENSIONS_UNAVAILABLE if other apps cannot be called now (retryable).
   */
  call(appId: string, functionName: string, params?: JsonObject): Promise<JsonValue>;
  /**
   * Publishes an event of this app, for the user of the run. The type begins with the id of the
   * app. Secret values in the data that this run has read are redacted.
   *
   * @throws ExtensionError EVENT_TYPE_FOREIGN for another type, EVENT_NOT_DECLARED if the app does
   * not declare the type, EVENT_INVALID if the data does not match the declared schema,
   * EVENT_TOO_LARGE above 64 KiB, EVENT_TOO_MANY_HOPS if too many event handlers led to it in a
   * chain, EVENT_BACKLOG_FULL or EVENT_QUOTA_EXCEEDED after too many events; EVENTS_UNAVAILABLE if
   * the platform cannot be reached (retryable); RUN_REFUSED in a handler of
   * `marketplace.app_uninstalled`.
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
  /**
   * Sends a prompt to a model. Not available yet: no model can be configured. @throws
   * ExtensionError AI_UNAVAILABLE on every call.
   */
  complete(
    prompt: string,
    options?: { model?: string; temperature?: number; maxTokens?: number; output?: JsonValue },
  ): Promise<{ text: string; model: string; usage: JsonObject; stop_reason: string }>;
}

/**
 * Balance and limits of the user of the run, to check before expensive work. An app cannot charge
 * here: it charges with the prices of its functions. A result is null if billing is unreachable or
 * refuses, for example because the call came with an API key that lacks `billing:read`.
 *
 * @throws ExtensionError USER_MISSING if the run has no user.
 */
export interface ContextBilling {
  /** Credits that the user can spend now. */
  getBalance(): Promise<number | null>;
  /** Same content as `GET /v1/billing/subscription`: `plan`, `status`, `expires_at` and more. */
  getSubscription(): Promise<JsonObject | null>;
  /**
   * Same content as `GET /v1/billing/usage`: the usage of this period, the limits, and which limits
   * are exceeded. Of the meters of apps, it has only those of this app.
   */
  checkLimits(): Promise<JsonObject | null>;
  /**
   * Adds to a usage meter of the app for the user, such as `pages`. Users see the meter in their
   * usage as `app:<app_id>:<meter>`. A meter has no limit and costs nothing. An app can have 20
   * meters per user and period.
   *
   * @throws ExtensionError BILLING_METER_INVALID for an invalid name, BILLING_QUANTITY_INVALID
   * unless the quantity is a whole number from 1 to 10¹², BILLING_REFUSED if the platform refuses
   * it, for example because the app has too many meters, BILLING_UNAVAILABLE if billing cannot be
   * reached (retryable).
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

/**
 * Files of the app. Not available yet.
 *
 * @throws ExtensionError STORAGE_UNAVAILABLE on every call.
 */
export interface ContextStorage {
  upload(path: string, bytes: Uint8Array, contentType: string): Promise<StoredFile>;
  /** The content of a file; null if it does not exist. */
  download(path: string): Promise<Uint8Array | null>;
  delete(path: string): Promise<boolean>;
  list(prefix?: string, cursor?: string): Promise<{ data: StoredFile[]; cursor: string | null }>;
}

export interface ContextSkeleton {
  /**
   * The latest value of a section of the initial state of sessions; null if none was produced yet.
   * Not available yet.
   *
   * @throws ExtensionError SKELETON_UNAVAILABLE on every call.
   */
  get(section: string): Promise<JsonValue>;
}

export interface ContextWebhook {
  /** Time when the request arrived. For an inbox, this is before the run starts. */
  readonly receivedAt: Date;
  /**
   * Verifies the signature of the webhook request over the bytes that arrived. A signed time is
   * compared with the time of arrival. See `verifySignature`.
   *
   * @throws ExtensionError WEBHOOK_UNAVAILABLE if the run does not answer a webhook request,
   * WEBHOOK_SECRET_MISSING if no secret is set, WEBHOOK_SECRET_MALFORMED for a secret that the
   * scheme `standard-webhooks` cannot use, WEBHOOK_VERIFY_INVALID for invalid options.
   */
  verify(options: VerifyOptions): Verification;
}

export interface ContextTime {
  /** Time zone of the user, such as `Europe/Prague`. UTC if it is unknown. */
  readonly timezone: string;
  /** Offset such as `+02:00`. */
  readonly utc_offset: string;
  readonly now_utc: string;
  readonly now_local: string;
  readonly hour_local: number;
  readonly is_business_hours: boolean;
}
