import type {
  AppDocument,
  AppFunction,
  JsonObject,
  JsonValue,
  Schedule,
  Subscription,
  Webhook,
} from '@platform/app-document';
import type { CallKind, ExtensionContext } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import type { SecretRedactor } from '../kernel/secrets/secret-redactor.js';

/** A function, webhook, schedule or event handler of an app, ready to run any number of times. */
export interface CompiledHandler {
  readonly kind: CallKind;
  /**
   * Name of the function or schedule, path of the webhook, type of the event, or section of the
   * skeleton.
   */
  readonly name: string;
}

/** A version of an app, compiled once. */
export interface CompiledApp {
  readonly document: AppDocument;
  readonly functions: ReadonlyMap<string, CompiledHandler & { readonly definition: AppFunction }>;
  /** Ordered as in the document; if two have the same path, the last one is used. */
  readonly webhooks: readonly (CompiledHandler & { readonly definition: Webhook })[];
  readonly schedules: ReadonlyMap<string, CompiledHandler & { readonly definition: Schedule }>;
  /** Keys are the subscribed types, which can end in `*`. */
  readonly events: ReadonlyMap<string, CompiledHandler & { readonly definition: Subscription }>;
}

export interface RunInput {
  /** The params of a function (already checked), the request of a webhook, or the envelope of an event. */
  event: JsonValue;
  /** Context of the run, already restricted to its kind. */
  context: ExtensionContext;
  /**
   * Kind of the run, which decides what it may use: a function that a webhook calls may use the
   * same as the webhook.
   */
  kind: CallKind;
  /** Members of the context that the version may use, as the context enforces it. */
  capabilities: readonly string[];
  /**
   * Aborted when the time of the run is over or its caller has disconnected; the run then rejects.
   */
  signal: CancellationSignal;
  /** Knows the secrets that the run has read. Every text must pass it before it is cut. */
  redactor: Pick<SecretRedactor, 'redactBeginning'>;
  /** Receives the outcome of each step, if the developer asked for a trace. */
  trace?: TracedStep[];
}

export interface TracedStep {
  id: string;
  kind: string;
  action: string;
  ok: boolean;
  result: JsonValue;
  ms: number;
}

export interface HandlerResult {
  /** `webhookResponse` turns the data of a webhook into an HTTP response. */
  data: JsonValue;
  /** Text of one line that is shown to the user. */
  summary: string | null;
  ui: JsonObject | null;
}

/** Runs handlers of one form: steps or JavaScript. */
export interface HandlerRuntime {
  /**
   * Runs a handler, and returns its result.
   *
   * @throws ExtensionError for each error that the handler made or did not handle, and the reason
   * of `signal` if the run is over. Other errors are faults of the platform.
   */
  runHandler(handler: CompiledHandler, input: RunInput): Promise<HandlerResult>;
}
