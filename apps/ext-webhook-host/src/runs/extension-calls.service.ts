import type { JsonObject, JsonValue } from '@platform/app-document';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import { isAppId } from '@platform/contracts';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { isUnavailable, ConcurrencyLimit } from '@platform/platform';
import { RunContextFactory } from '../context/run-context-factory.js';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import type { Run } from '../context/run.js';
import { RunEventsService } from '../context/run-events.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { redactSecrets } from './function-answers.js';
import type { HandlerRuntime } from '../handlers/handler-runtime.js';
import { HandlerRuntimeService } from './handler-runtime.service.js';
import { schemaCheckOf } from '../context/schema-checks.js';

/**
 * Concurrency limits for calls of other apps, separate for each depth: a call never waits for calls
 * that wait for it. Each call holds a connection to the gateway, and one from there, until it is
 * answered.
 */
const PLACES = {
  slots: 128,
  maxSlots: 500,
  perApp: 64,
  perRequester: 32,
  waitMs: 30_000,
  waiting: 1_000,
  maxWaiting: 2_000,
};

/**
 * Calls of functions by a run: in the same app within the run, in other apps through the gateway,
 * which checks the permission.
 */
@Injectable()
export class ExtensionCallsService {
  private readonly places = new Map<number, ConcurrencyLimit>();

  constructor(
    @Inject(HandlerRuntimeService) private readonly runtime: HandlerRuntime,
    private readonly contexts: RunContextFactory,
    private readonly gateway: GatewayClient,
    private readonly events: RunEventsService,
  ) {}

  /**
   * Calls a function, and returns its data.
   *
   * @throws ExtensionError EXTENSION_NOT_FOUND for an invalid app id; CALL_CYCLE if the function is
   * already in the chain of calls; CALL_TOO_DEEP or BUDGET_EXCEEDED if a limit of the run is
   * exceeded; as in `callOwn` for a function of the same app. For another app: RATE_LIMITED if too
   * many calls run; EXTENSIONS_UNAVAILABLE if the gateway is unreachable; the gateway's code in
   * upper case if it refuses the call; the code of the function if that fails.
   */
  async callFunction(run: Run, appId: string, name: string, params: JsonObject): Promise<JsonValue> {
    const { app, chain, state } = run;
    if (!isAppId(appId)) throw RunErrors.unknownExtension();
    const target = `${appId}.${name}`;
    if (chain.includes(target)) throw RunErrors.cycle(target);
    if (chain.length >= state.limits.callDepth) throw RunErrors.tooDeep(state.limits.callDepth);
    state.calls.spend();
    return appId === app.app_id ? this.callOwn(run, target, name, params) : this.callOther(run, appId, name, params);
  }

  /**
   * Calls a function of the same app, publishes its event, if it declares one, and returns its
   * data. It shares time, budgets and secrets with the calling run, and may not use more. If the
   * event cannot be published, that is logged for the developer.
   *
   * @throws ExtensionError UNKNOWN_SUB_FUNCTION if the app has no such function; the code of the
   * check if `params` do not match its schema; the error of the function.
   */
  private async callOwn(run: Run, target: string, name: string, params: JsonObject): Promise<JsonValue> {
    const handler = run.compiled.functions.get(name);
    if (!handler) throw RunErrors.unknownFunction(run.app.app_id, name);
    const issue = schemaCheckOf(handler.definition.params_schema)(params);
    if (issue) throw new ExtensionError(issue.code, issue.message);
    const nested: Run = { ...run, handler: name, chain: [...run.chain, target], via: [...run.via, name] };
    const context = this.contexts.createContext(nested, (from, ...called) => this.callFunction(from, ...called));
    const { data } = await this.runtime.runHandler(handler, {
      event: params,
      context,
      kind: run.kind,
      capabilities: run.capabilities,
      ...inputOf(run.state),
    });
    const unpublished = await this.events.publishResult(
      nested,
      handler.definition,
      redactSecrets(data, run.state.redactor),
    );
    if (unpublished) this.contexts.writeLog(nested, unpublished.message, 'error');
    return data;
  }

  private async callOther(run: Run, appId: string, name: string, params: JsonObject): Promise<JsonValue> {
    const { app, userId, developerId, chain, grant, via, state } = run;
    // A run without a user counts for the developer of the app, so that the apps of one developer
    // leave slots for those of others.
    const party = { app: app.app_id, from: userId ?? developerId ?? app.app_id };
    const call = (text: string) =>
      this.gateway.callExtension(appId, { grant: text, function: name, params, via: [...via] }, state.signal);
    const { status, data, error, error_code, retryable } = await this.placesAt(chain.length)
      .runInSlot(party, () => grant.callWithGrant(call), state.signal)
      .catch((thrown: unknown) => {
        throw asExtensionError(thrown);
      });
    if (status === 'error')
      throw new ExtensionError(error_code ?? 'CALL_FAILED', error ?? 'The function failed.', { retryable });
    return data as JsonValue;
  }

  private placesAt(depth: number): ConcurrencyLimit {
    const places = this.places.get(depth) ?? new ConcurrencyLimit(PLACES, RunErrors.tooManyCalls);
    this.places.set(depth, places);
    return places;
  }
}

const inputOf = ({ signal, redactor }: Run['state']) => ({ signal, redactor });

function asExtensionError(error: unknown): unknown {
  if (isUnavailable(error, 'gateway')) {
    return unavailableError('EXTENSIONS', 'Other extensions cannot be called at the moment.', {
      retryable: true,
      cause: error,
    });
  }
  if (!(error instanceof ApiError)) return error;
  return new ExtensionError(error.code.toUpperCase().replace(/[^A-Z0-9]+/g, '_'), error.message, {
    retryable: error.status === 429,
  });
}
