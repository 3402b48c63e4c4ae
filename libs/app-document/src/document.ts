import type { ActionType } from '@platform/contracts';

/**
 * An app in its canonical form, which is stored, hashed and run. All default values are filled in.
 */
export interface AppDocument {
  ir_version: string;
  app: App;
}

export interface App {
  id: string;
  version: string;
  title: string;
  description: string;
  icon: string | null;
  /**
   * The following four fields are absent if they were not sent, so that older documents keep their
   * hash.
   */
  homepage?: string;
  license?: string;
  category?: Category;
  /**
   * Hosts to which the app can send requests, in addition to the hosts in plain addresses of its
   * steps; `*` is any host.
   */
  hosts?: string[];
  capabilities: string[];
  functions: AppFunction[];
  webhooks: Webhook[];
  schedules: Schedule[];
  events: { subscribes: Subscription[]; emits: Emission[] };
  skeleton: SkeletonProducer[];
  ui: { panels: Panel[] };
  secrets: SecretDeclaration[];
  settings: SettingDeclaration[];
  /** The following three fields are stored as they were sent. Nothing reads them yet. */
  data: JsonObject | null;
  automations: JsonObject[];
  lifecycle: JsonObject | null;
  /**
   * Code modules by name. Absent if there are none, so that documents without code keep their hash.
   */
  modules?: Record<string, Module>;
}

/** An ES module. It can import other modules of the document as `./name`. */
export interface Module {
  source: string;
  /** Source map (version 3) as JSON text. */
  source_map: string | null;
}

/** A function, called by `POST /v1/extensions/{app_id}/call`. */
export interface AppFunction {
  name: string;
  description: string;
  action_type: ActionType;
  /** JSON Schema 2020-12, always of type `object`. */
  params_schema: JsonObject;
  return_schema: JsonObject | null;
  required_scopes: string[];
  effects: string[];
  /** Event that is published as `<app_id>.<event>` after each success. */
  event: string | null;
  impl: Implementation;
}

export interface Webhook {
  /**
   * Path without slashes at the beginning and the end. Several webhooks can have the same path with
   * different methods.
   */
  path: string;
  /** A list if there are several methods. */
  method: HttpMethod | HttpMethod[];
  /** Name of the header with the signature. The steps must verify the signature. */
  secret_header: string | null;
  /**
   * True: requests are stored and answered with 202 immediately. The steps run afterwards, with
   * retries after a failure.
   */
  inbox: boolean;
  /**
   * Hosts to which its answers can redirect, in addition to the platform. Absent if there are none.
   */
  redirect_hosts?: string[];
  description: string;
  impl: Implementation;
}

export interface Schedule {
  name: string;
  /** Cron expression with five fields, in UTC. */
  cron: string;
  /** Collection: the schedule runs once for each user with a document in it. Null: it runs once. */
  for_each_user: string | null;
  description: string;
  impl: Implementation;
}

/** A handler for events. */
export interface Subscription {
  type: string;
  impl: Implementation;
}

/**
 * An event that the app publishes. Events that steps and functions publish are listed without a
 * declaration.
 */
export interface Emission {
  type: string;
  schema_ref: string | null;
  /** JSON Schema 2020-12 of its data. Absent if any data is allowed. */
  payload_schema?: JsonObject;
}

/** Creates a section of the initial state of a session. */
export interface SkeletonProducer {
  section: string;
  producer: Implementation;
  shape: JsonObject;
  alert: boolean;
  /** Seconds until the section is created again. */
  ttl: number;
}

export interface Panel {
  panel_id: string;
  slot: PanelSlot;
  title: string;
  icon: string | null;
  render: { kind: 'static' | 'template'; tree: JsonObject } | CodeReference;
}

export interface SecretDeclaration {
  name: string;
  description: string;
  scope: 'user' | 'app';
  /** Parties that can set it. */
  write_mode: 'user' | 'extension' | 'both';
  max_bytes: number;
  required: boolean;
  rotation_hint_days: number | null;
}

export interface SettingDeclaration {
  /** Dotted name, as for `config.get`. */
  name: string;
  type: SettingType;
  title: string;
  description: string;
  default: JsonValue;
  enum: JsonValue[] | null;
}

export type Implementation = { kind: 'declarative'; steps: Step[] } | CodeReference;

/** An export of a module of the document. */
export interface CodeReference {
  kind: 'code';
  module: string;
  entry: string;
}

/**
 * A step. The action of `call` is `function` or `app_id.function`, and that of `emit` is the type
 * of the event; `operations` lists the actions of all other kinds. Params can contain templates
 * (`parseTemplate`), except the params of `control` that contain ids or lists of steps.
 */
export interface Step {
  /** Unique in its function, webhook or other handler. */
  id: string;
  kind: StepKind;
  action: string;
  params: JsonObject;
}

/** The params of `control.if`. */
export interface IfParams {
  if: Condition;
  then: Branch;
  else: Branch;
}

/**
 * Id of the next step; or steps to run before the step that follows the `if`; or null to end the
 * run.
 */
export type Branch = string | Step[] | null;

export type Condition =
  | { and: Condition[] }
  | { or: Condition[] }
  | { not: Condition }
  | ({ field: JsonValue } & { [Test in Comparison]?: JsonValue });

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Categories of apps: the ids of the marketplace's categories. */
export const CATEGORY_IDS = [
  'general',
  'ai',
  'analytics',
  'automation',
  'communication',
  'customer-support',
  'design',
  'developer-tools',
  'education',
  'finance',
  'games',
  'health',
  'hr',
  'lifestyle',
  'marketing',
  'media',
  'productivity',
  'sales',
  'security',
  'travel',
  'utilities',
] as const;
export type Category = (typeof CATEGORY_IDS)[number];

export const STEP_KINDS = [
  'store',
  'cache',
  'config',
  'secret',
  'http',
  'call',
  'ai',
  'notify',
  'emit',
  'log',
  'crypto',
  'transform',
  'control',
  'ui',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Kinds of top-level steps that declare something in the simple form. */
export const DECLARATION_KINDS = ['function', 'webhook', 'schedule', 'event'] as const;
export type DeclarationKind = (typeof DECLARATION_KINDS)[number];

/**
 * `eq` and `neq` compare as text, `gt` to `lte` as numbers; `in` searches a list, a text or the
 * keys of a map.
 */
export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** HTTP methods that a webhook accepts. */
export const methodsOf = ({ method }: Pick<Webhook, 'method'>): readonly HttpMethod[] => [method].flat();

export const PANEL_SLOTS = ['center', 'left', 'right', 'overlay', 'bottom', 'chat-sidebar'] as const;
export type PanelSlot = (typeof PANEL_SLOTS)[number];

export const SETTING_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type SettingType = (typeof SETTING_TYPES)[number];
