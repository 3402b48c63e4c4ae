import type { AppDocument, AppFunction, JsonObject, JsonValue, Schedule, Subscription, Webhook } from '@platform/app-document';
import type { CallKind, ExtensionContext } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import type { SecretRedactor } from '../kernel/secrets/secret-redactor.js';

/** A function, webhook, schedule or other handler of an app, ready to run as often as needed. */
export interface CompiledHandler {
  readonly kind: CallKind;
  /** Of the function, path of the webhook, name of the schedule, type of the event, or section of the skeleton. */
  readonly name: string;
}

/** A version of an app, compiled once. */
export interface CompiledApp {
  readonly document: AppDocument;
  readonly functions: ReadonlyMap<string, CompiledHandler & { readonly definition: AppFunction }>;
  /** In the order of the document; of those at one path the last one counts. */
  readonly webhooks: readonly (CompiledHandler & { readonly definition: Webhook })[];
  readonly schedules: ReadonlyMap<string, CompiledHandler & { readonly definition: Schedule }>;
  /** By the type that is subscribed to, which may end in `*`. */
  readonly events: ReadonlyMap<string, CompiledHandler & { readonly definition: Subscription }>;
}

export interface RunInput {
  /** The params of a function (already checked), the request of a webhook, or the envelope of an event. */
  event: JsonValue;
  /** What the run may reach, already restricted to its kind. */
  context: ExtensionContext;
  /** Of the run, which decides what it may use: a function that a webhook calls may use what the webhook may. */
  kind: CallKind;
  /** What of the context the version may use, as the context refuses it; null: all. */
  capabilities: readonly string[] | null;
  /** Aborted when the time of the run is over, or its caller has gone; the run then rejects. */
  signal: CancellationSignal;
  /** Knows the secrets that the run has read: what is cut has passed it before. */
  redactor: Pick<SecretRedactor, 'beginning'>;
  /** Filled with what each step did, where the developer asked for it. */
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
  /** Of a webhook: what `webhookResponse` makes an HTTP response of. */
  data: JsonValue;
  /** One line, to be shown. */
  summary: string | null;
  ui: JsonObject | null;
}

/** Runs handlers of one way to write them. */
export interface HandlerRuntime {
  /** @throws ExtensionError for whatever the handler did wrong or did not handle; anything else is a fault of the platform. */
  run(handler: CompiledHandler, input: RunInput): Promise<HandlerResult>;
}
