import type { JsonObject, JsonValue } from '@platform/app-document';
import type { RunTenant, WebhookChannel } from '@platform/contracts';
import type { CallKind, ContextUser, SignedRequest } from '@platform/extension-sdk/runtime';
import type { RunGrant } from '../kernel/gateway/run-grant.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import type { RunState } from './run-state.js';

/** A run of a handler: what, for whom, why. */
export interface Run {
  app: { app_id: string; version: string };
  compiled: CompiledApp;
  /** What of its context the version may use; null: all. */
  readonly capabilities: readonly string[] | null;
  /** Of its document. */
  sha256: string;
  /** What the gateway is asked with. */
  grant: RunGrant;
  /** Where the webhooks of the app are. Null while nobody can say. */
  channel: WebhookChannel | null;
  /** The only user whom a run of no user may act for: the developer, for a webhook of a draft. Null: whom the app may. */
  onlyFor: string | null;
  /** Decides what it may use. A function that a webhook calls may use what the webhook may. */
  kind: CallKind;
  /** Its name, or the path of the webhook. */
  handler: string;
  tenantId: string;
  user: ContextUser;
  /** Null when no user stands behind it. */
  userId: string | null;
  /** Whose app it is. Known where no user stands behind it, unless the gateway is away. */
  developerId: string | null;
  tenant: RunTenant | null;
  /** The functions that called each other to come here, this one included. */
  chain: readonly string[];
  /** Of them those of the app itself that have called each other since the run began. */
  via: readonly string[];
  /** Of the events that it publishes: how many handlers of events led to it. */
  hop: number;
  /** Of a function that goes on after the request that called it: somebody sees how far it is. */
  isTask?: boolean;
  /** Of a webhook. */
  request: (SignedRequest & { receivedAt?: Date | undefined }) | null;
  state: RunState;
}

/** How a run calls another function. */
export type CallFunction = (run: Run, appId: string, functionName: string, params: JsonObject) => Promise<JsonValue>;
