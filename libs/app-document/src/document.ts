import type { ActionType } from '@platform/contracts';

/** What an app is, in the one form that is stored, hashed and run: everything is spelled out, nothing is left to a default. */
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
  /** The next four are left out where they are not said, so that documents without them are what they were before there were any. */
  homepage?: string;
  license?: string;
  category?: Category;
  /** The only ones that it sends requests to, beside those in plain addresses of its steps; `*` stands for all. */
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
  /** The next three are kept as they were sent; nothing reads them yet. */
  data: JsonObject | null;
  automations: JsonObject[];
  lifecycle: JsonObject | null;
  /** By name. Left out when there are none, so that documents without code are what they were before there was code. */
  modules?: Record<string, Module>;
}

/** An ES module, which may import others of the document as `./name`. */
export interface Module {
  source: string;
  /** Version 3, as JSON. */
  source_map: string | null;
}

/** Called by `POST /v1/extensions/{app_id}/call`. */
export interface AppFunction {
  name: string;
  description: string;
  action_type: ActionType;
  /** JSON Schema 2020-12, always of type `object`. */
  params_schema: JsonObject;
  return_schema: JsonObject | null;
  required_scopes: string[];
  effects: string[];
  /** Published as `<app_id>.<event>` after each success. */
  event: string | null;
  impl: Implementation;
}

export interface Webhook {
  /** Without slashes at its ends. Others may have the same path, with other methods. */
  path: string;
  /** A list where it takes several. */
  method: HttpMethod | HttpMethod[];
  /** Names the header that carries the signature; verifying it is up to the steps. */
  secret_header: string | null;
  /** Requests are stored and answered 202 at once; the steps run afterwards, and again when they fail. */
  inbox: boolean;
  /** Where its answers may redirect to beside the platform. Absent where there are none. */
  redirect_hosts?: string[];
  description: string;
  impl: Implementation;
}

export interface Schedule {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  /** Runs once for each user who has a document in this collection; null: once. */
  for_each_user: string | null;
  description: string;
  impl: Implementation;
}

/** A handler for events of the bus. */
export interface Subscription {
  type: string;
  impl: Implementation;
}

/** An event that the app publishes; what its steps and functions publish is listed without being declared. */
export interface Emission {
  type: string;
  schema_ref: string | null;
  /** JSON Schema 2020-12 of its data. Left out when any data is good. */
  payload_schema?: JsonObject;
}

/** Makes a part of what a session begins with. */
export interface SkeletonProducer {
  section: string;
  producer: Implementation;
  shape: JsonObject;
  alert: boolean;
  /** Seconds. */
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
  /** Who may set it. */
  write_mode: 'user' | 'extension' | 'both';
  max_bytes: number;
  required: boolean;
  rotation_hint_days: number | null;
}

export interface SettingDeclaration {
  /** A dotted name, as `config.get` takes it. */
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
 * `call` has `function` or `app_id.function` as its action and `emit` the type of the event; of the other kinds `operations` lists the
 * actions. Params may hold templates (`parseTemplate`); only those of `control` hold ids and lists of steps.
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

/** The id of the step to go on with, steps to do before what follows the `if`, or null: the run ends. */
export type Branch = string | Step[] | null;

export type Condition =
  { and: Condition[] } | { or: Condition[] } | { not: Condition } | ({ field: JsonValue } & { [Test in Comparison]?: JsonValue });

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** What an app can be filed under: the ids of the marketplace's categories. */
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

/** What the simple form declares among its top-level steps. */
export const DECLARATION_KINDS = ['function', 'webhook', 'schedule', 'event'] as const;
export type DeclarationKind = (typeof DECLARATION_KINDS)[number];

/** `eq` and `neq` compare as text, `gt` to `lte` as numbers; `in` looks into a list, a text or the keys of a map. */
export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Those that a webhook takes. */
export const methodsOf = ({ method }: Pick<Webhook, 'method'>): readonly HttpMethod[] => [method].flat();

export const PANEL_SLOTS = ['center', 'left', 'right', 'overlay', 'bottom', 'chat-sidebar'] as const;
export type PanelSlot = (typeof PANEL_SLOTS)[number];

export const SETTING_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type SettingType = (typeof SETTING_TYPES)[number];
