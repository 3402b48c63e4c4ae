import type { JsonObject, JsonValue } from '@platform/app-document';
import type { RunTenant, WebhookChannel } from '@platform/contracts';
import type { CallKind, ContextUser, SignedRequest } from '@platform/extension-sdk/runtime';
import type { RunGrant } from '../kernel/gateway/run-grant.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import type { RunState } from './run-state.js';

/** A run of a handler: the handler, its user, and its origin. */
export interface Run {
  app: { app_id: string; version: string };
  compiled: CompiledApp;
  /** Members of the context that the version may use. */
  readonly capabilities: readonly string[];
  /** Hash of the document of the version. */
  sha256: string;
  /** Grant with which the run calls the gateway. */
  grant: RunGrant;
  /** Channel of the app's webhooks, a part of their addresses. Null while it is unknown. */
  channel: WebhookChannel | null;
  /**
   * The only user for whom a run without a user may act: the developer, for a webhook of a draft.
   * Null: each user for whom the app may act.
   */
  onlyFor: string | null;
  /**
   * Decides what the run may use. A function that a webhook calls may use the same as the webhook.
   */
  kind: CallKind;
  /** Name of the handler, or path of the webhook. */
  handler: string;
  tenantId: string;
  user: ContextUser;
  /** Null if the run has no user. */
  userId: string | null;
  /** Developer of the app. Set for a run without a user, unless the gateway is unreachable. */
  developerId: string | null;
  tenant: RunTenant | null;
  /** Functions that called each other up to this run, including its own. */
  chain: readonly string[];
  /** Functions of the app itself in `chain` since the run began. */
  via: readonly string[];
  /** Number of event handlers that led to the events that this run publishes. */
  hop: number;
  /**
   * True for a function that continues after the request that called it. Its progress is reported.
   */
  isTask?: boolean;
  /** Request of a webhook; null for other kinds. */
  request: (SignedRequest & { receivedAt?: Date | undefined }) | null;
  state: RunState;
}

/** Calls another function from a run. */
export type CallFunction = (run: Run, appId: string, functionName: string, params: JsonObject) => Promise<JsonValue>;
