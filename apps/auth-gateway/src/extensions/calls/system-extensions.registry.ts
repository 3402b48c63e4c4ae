import { Injectable } from '@nestjs/common';
import type { ActionType, ToolManifest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { type CancellationSignal, sha256 } from '@platform/platform';
import canonicalize from 'canonicalize';
import { FunctionErrors } from './function-error.js';

/** User and time limit of one run of a function. */
export interface CallContext {
  user: UserCaller;
  /** Aborted when the time of the call is over. Later results are lost. */
  signal: CancellationSignal;
}

/** Result of a function that succeeded. */
export interface FunctionResult {
  data?: unknown;
  /** A line to show to the user. */
  summary?: string;
  ui?: unknown;
}

export interface SystemFunction {
  name: string;
  description: string;
  action_type: ActionType;
  /**
   * Scope that an API key needs besides the scope for calls: the one of the REST route that does
   * the same.
   */
  key_scope: `${string}:${string}`;
  /** JSON Schema 2020-12 of type `object`. Params that do not match never reach the handler. */
  params_schema: Record<string, unknown>;
  return_schema?: Record<string, unknown>;
  /**
   * Reason why the function cannot run on this platform. It is not listed then, and calls are
   * answered with this text.
   */
  unavailable?: string;
  /**
   * @throws FunctionError, AppError or ValidationFailed for errors that the caller should know
   * about.
   */
  handler(context: CallContext, params: Record<string, unknown>): Promise<FunctionResult>;
  /** Set by the function `definePanelFunction`. */
  inPanel?: InPanel;
}

/** A step that a person takes in the panel. */
export interface PanelStep {
  panelUrl: string;
  /** A line with the step and its price. */
  summary: string;
}

/**
 * Returns the address in the panel where the user performs the function with these params, and a
 * summary of the step. Changes nothing.
 *
 * @throws like a handler if the step is impossible.
 */
export type InPanel = (context: CallContext, params: Record<string, unknown>) => Promise<PanelStep>;

/**
 * Defines a function that moves money, which only a person can do. `operate` answers with the
 * address in the panel; other calls fail with the same address.
 */
export const definePanelFunction = (
  definition: Omit<SystemFunction, 'handler' | 'inPanel'> & { inPanel: InPanel },
): SystemFunction => ({
  ...definition,
  handler: async (context, params) => {
    throw FunctionErrors.inPanel(await definition.inPanel(context, params));
  },
});

/**
 * Extension that is part of the platform. Its functions run in the gateway, and every user has it.
 */
export interface SystemExtension {
  appId: string;
  functions: SystemFunction[];
}

/** A function of the platform or of an app, as `FunctionCallsService` runs it. */
export interface CalledFunction {
  action_type: ActionType;
  params_schema: Record<string, unknown>;
  required_scopes: readonly string[];
  /**
   * Scope that an API key needs besides the scope for calls; null for functions that the host runs.
   */
  key_scope: string | null;
  /** Null for functions that the host runs. */
  run: ((context: CallContext, params: Record<string, unknown>) => Promise<FunctionResult>) | null;
  /** Set for a function that only a person can perform, in the panel. */
  inPanel?: InPanel;
}

/**
 * System extensions. A feature adds its own in its constructor. Each needs a row in `apps`, which
 * `seedSystemApps` inserts.
 */
@Injectable()
export class SystemExtensionsRegistry {
  private readonly extensions = new Map<string, SystemExtension>();
  private readonly called = new Map<string, ReadonlyMap<string, CalledFunction>>();

  registerExtension(extension: SystemExtension): void {
    const { appId, functions } = extension;
    if (this.extensions.has(appId)) throw new Error(`The system extension ${appId} is added twice.`);
    for (const { name, key_scope } of functions as Partial<SystemFunction>[]) {
      if (!key_scope) throw new Error(`${appId}.${String(name)} does not say which scope API keys need for it.`);
    }
    this.extensions.set(appId, extension);
    this.called.set(appId, new Map(functions.map((definition) => [definition.name, toCalled(definition)])));
  }

  findFunctions(appId: string): ReadonlyMap<string, CalledFunction> | undefined {
    return this.called.get(appId);
  }

  /** Manifests of all system extensions. The version is derived from the content. */
  listManifests(): { appId: string; manifest: ToolManifest }[] {
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
