import { Injectable } from '@nestjs/common';
import type { ActionType, ToolManifest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { type CancellationSignal, sha256 } from '@platform/platform';
import canonicalize from 'canonicalize';
import { FunctionErrors } from './function-error.js';

/** For whom a function runs, and for how long. */
export interface CallContext {
  user: UserCaller;
  /** Aborted when the time of the call is over; of what the function does then nobody hears. */
  signal: CancellationSignal;
}

/** What a function returns when it succeeds. */
export interface FunctionResult {
  data?: unknown;
  /** One line, to be shown. */
  summary?: string;
  ui?: unknown;
}

export interface SystemFunction {
  name: string;
  description: string;
  action_type: ActionType;
  /** What an API key must have been given beside the scope for calls: that of the route that does the same. */
  key_scope: `${string}:${string}`;
  /** JSON Schema 2020-12 of type `object`. What does not match never reaches the handler. */
  params_schema: Record<string, unknown>;
  return_schema?: Record<string, unknown>;
  /** Why it cannot run on this platform: then it is not listed, and a call is answered with this. */
  unavailable?: string;
  /** @throws FunctionError, AppError or ValidationFailed for whatever the caller should know of. */
  handler(context: CallContext, params: Record<string, unknown>): Promise<FunctionResult>;
  /** Made by `inPanel`. */
  inPanel?: InPanel;
}

/** What a person does in the panel. */
export interface DoneInPanel {
  panelUrl: string;
  /** One line that says what it is, and what it costs. */
  summary: string;
}

/** Says where, for these params. Changes nothing. @throws as a handler, where it could not be done. */
export type InPanel = (context: CallContext, params: Record<string, unknown>) => Promise<DoneInPanel>;

/** A function that no program runs, since it moves money: `operate` says where its user does it, and any other call fails and says the same. */
export const inPanel = (definition: Omit<SystemFunction, 'handler' | 'inPanel'> & { inPanel: InPanel }): SystemFunction => ({
  ...definition,
  handler: async (context, params) => {
    throw FunctionErrors.inPanel(await definition.inPanel(context, params));
  },
});

/** An extension that the platform itself brings: its functions run in the gateway, and every user has it. */
export interface SystemExtension {
  appId: string;
  functions: SystemFunction[];
}

/** A function as it is called, of whichever extension. */
export interface CalledFunction {
  action_type: ActionType;
  params_schema: Record<string, unknown>;
  required_scopes: readonly string[];
  /** What an API key needs beside the scope for calls; null for what the host of extensions runs. */
  key_scope: string | null;
  /** Null for what the host of extensions runs. */
  run: ((context: CallContext, params: Record<string, unknown>) => Promise<FunctionResult>) | null;
  /** Where its user does it, of what no program may do. */
  inPanel?: InPanel;
}

/** The system extensions; a feature adds its own while it is made. Each needs a row in `apps`, which `seedSystemApps` puts in. */
@Injectable()
export class SystemExtensions {
  private readonly extensions = new Map<string, SystemExtension>();
  private readonly called = new Map<string, ReadonlyMap<string, CalledFunction>>();

  add(extension: SystemExtension): void {
    const { appId, functions } = extension;
    if (this.extensions.has(appId)) throw new Error(`The system extension ${appId} is added twice.`);
    for (const { name, key_scope } of functions as Partial<SystemFunction>[]) {
      if (!key_scope) throw new Error(`${appId}.${String(name)} does not say which scope API keys need for it.`);
    }
    this.extensions.set(appId, extension);
    this.called.set(appId, new Map(functions.map((definition) => [definition.name, toCalled(definition)])));
  }

  functionsOf(appId: string): ReadonlyMap<string, CalledFunction> | undefined {
    return this.called.get(appId);
  }

  /** What callers are told of each, under a version that its content makes. */
  manifests(): { appId: string; manifest: ToolManifest }[] {
    return [...this.extensions.values()].map(({ appId, functions }) => ({ appId, manifest: manifestOf(functions) }));
  }
}

const NO_SCOPES = ['*'];
const ANY_PARAMS = { type: 'object' };

function toCalled(definition: SystemFunction): CalledFunction {
  const { unavailable, action_type, key_scope, params_schema } = definition;
  if (unavailable === undefined) {
    const run: CalledFunction['run'] = (context, params) => definition.handler(context, params);
    const { inPanel } = definition;
    return { action_type, params_schema, required_scopes: NO_SCOPES, key_scope, run, ...(inPanel && { inPanel }) };
  }
  return {
    action_type,
    params_schema: ANY_PARAMS,
    required_scopes: NO_SCOPES,
    key_scope,
    run: () => Promise.reject(FunctionErrors.unavailable(unavailable)),
  };
}

function manifestOf(functions: readonly SystemFunction[]): ToolManifest {
  const tools = functions
    .filter(({ unavailable }) => unavailable === undefined)
    .map(({ name, description, action_type, params_schema, return_schema = null }) => ({
      name,
      description,
      action_type,
      params_schema,
      return_schema,
      required_scopes: NO_SCOPES,
    }));
  const mark = sha256(canonicalize(tools) as string).toString('hex');
  return { version: `1.0.0+${mark.slice(0, 12)}`, tools, skeleton_sections: [] };
}
