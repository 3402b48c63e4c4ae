import { compileParamsCheck, type JsonObject, type JsonValue, type ParamsCheck } from '@platform/app-document';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type { CallResponse } from '@platform/contracts';
import { RunContexts } from '../context/run-contexts.js';
import { RunErrors, unavailable } from '../context/run-errors.js';
import type { Run } from '../context/run.js';
import { ExtensionError } from '../extension-error.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import { GatewayUnavailable } from '../gateway/gateway.errors.js';
import { AppRuntime } from './app-runtime.js';
import { failed, succeeded } from './function-answers.js';

/** The calls that are refused, and not the functions that failed. */
const REFUSALS = new Set(['CALL_CYCLE', 'CALL_TOO_DEEP', 'PERMISSION_DENIED']);

/** How functions call each other: those of one app here, within the run; those of others through the gateway, which knows who may. */
@Injectable()
export class ExtensionCalls {
  /** By the schema, which lives as long as its document. */
  private readonly checks = new WeakMap<JsonObject, ParamsCheck>();

  constructor(
    @Inject(AppRuntime) private readonly runtime: AppRuntime,
    @Inject(RunContexts) private readonly contexts: RunContexts,
    @Inject(GatewayClient) private readonly gateway: GatewayClient,
  ) {}

  /** What the function answers, also when it failed. @throws ExtensionError when the call was not made. */
  async call(run: Run, appId: string, name: string, params: JsonObject): Promise<JsonValue> {
    const { app, chain, state } = run;
    const target = `${appId}.${name}`;
    if (chain.includes(target)) throw RunErrors.cycle(target);
    if (chain.length >= state.limits.callDepth) throw RunErrors.tooDeep(state.limits.callDepth);
    state.calls.spend();
    const answer: object =
      appId === app.app_id ? await this.callOwn(run, target, name, params) : await this.callOther(run, appId, name, params);
    return answer as JsonObject;
  }

  /** Shares time, budgets and secrets with the run that calls. */
  private async callOwn(run: Run, target: string, name: string, params: JsonObject): Promise<CallResponse> {
    const handler = run.compiled.functions.get(name);
    if (!handler) throw RunErrors.unknownFunction(run.app.app_id, name);
    const issue = this.checkOf(handler.definition.params_schema)(params);
    if (issue) return failed({ code: issue.code, message: issue.message, retryable: false });
    const nested: Run = { ...run, handler: name, chain: [...run.chain, target] };
    const context = this.contexts.create(nested, (from, ...called) => this.call(from, ...called));
    try {
      return succeeded(await this.runtime.run(handler, { event: params, context, signal: run.state.signal }));
    } catch (error) {
      run.state.assertOpen();
      if (!(error instanceof ExtensionError)) throw error;
      return failed(error);
    }
  }

  private async callOther(run: Run, appId: string, name: string, params: JsonObject): Promise<CallResponse> {
    const { app, chain, tenantId, user, userId, state } = run;
    const request = {
      function: name,
      params,
      user_id: userId,
      tenant_id: tenantId,
      chain: [...chain],
      from_app: app.app_id,
      ...(userId !== null && { scopes: [...user.scopes] }),
    };
    const answer = await this.gateway.callExtension(appId, request, state.signal).catch((error: unknown) => {
      throw asExtensionError(error);
    });
    if (answer.error_code && REFUSALS.has(answer.error_code))
      throw new ExtensionError(answer.error_code, answer.error ?? answer.error_code);
    return answer;
  }

  private checkOf(schema: JsonObject): ParamsCheck {
    let check = this.checks.get(schema);
    if (!check) {
      check = compileParamsCheck(schema);
      this.checks.set(schema, check);
    }
    return check;
  }
}

function asExtensionError(error: unknown): unknown {
  if (error instanceof GatewayUnavailable) {
    return unavailable('EXTENSIONS', 'Other extensions cannot be called at the moment.', { retryable: true, cause: error });
  }
  if (!(error instanceof ApiError)) return error;
  return new ExtensionError(error.code.toUpperCase().replace(/[^A-Z0-9]+/g, '_'), error.message, { retryable: error.status === 429 });
}
