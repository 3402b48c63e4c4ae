import {
  compileParamsCheck,
  capabilitiesOf,
  type AppDocument,
  type DocumentIssue,
  type JsonObject,
  type ReadResult,
} from '@platform/app-document';
import type { SmokeTestRequest, SmokeTestResponse } from '@platform/contracts';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Effect,
  type ExtensionContext,
  ExtensionError,
  memoryContext,
  MemoryPlatform,
  RUN_LIMITS,
} from '@platform/extension-sdk/runtime';
import { Cancellation, type CancellationSignal, TaskEnded, ValidationFailed, WorkerTasks } from '@platform/platform';
import { userOf } from '../context/identities.js';
import type { CompiledApp, HandlerResult, HandlerRuntime, TracedStep } from '../handlers/handler-runtime.js';
import { RunErrors } from '../handlers/run-errors.js';
import { HandlerRuntimeService } from '../runs/handler-runtime.service.js';
import { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import { compileApp } from '../documents/compile-app.js';

/**
 * Time limit of a smoke test in milliseconds, with the check of its document: less than the gateway
 * waits, so that the developer gets the steps until then. Specs shorten it.
 */
export const SMOKE_TESTS = { maxMs: RUN_LIMITS.function.seconds * 900 };

/** Runs functions of documents that are not deployed, without any effect. */
@Injectable()
export class SmokeTestsService implements OnApplicationShutdown {
  /**
   * Checks documents in a separate thread. Users take turns, so an expensive document does not
   * delay the runs of other users.
   */
  readonly checks = new WorkerTasks({ file: 'checks/worker.cjs' });

  constructor(@Inject(HandlerRuntimeService) private readonly runtime: HandlerRuntime) {}

  /**
   * Runs a function of an app document that is not deployed, in a context that exists only in
   * memory. Returns its result or its error, the outcome of each step and the effects that it would
   * have had, without secrets. A function that fails, takes too long or does not exist is an
   * answer, too. Calls of other apps fail.
   *
   * @throws ValidationFailed with all errors of the document, or if checking it takes too much time
   * or memory. Errors that are no ExtensionError are faults of the platform.
   */
  async runSmokeTest({ document: sent, function: name, args, user }: SmokeTestRequest): Promise<SmokeTestResponse> {
    const end = performance.now() + SMOKE_TESTS.maxMs;
    const document = await this.parsed(sent, user.user_id);
    const trace: { steps: TracedStep[]; effects: Effect[] } = { steps: [], effects: [] };
    const redactor = new SecretRedactor();
    const limit = new Cancellation();
    const functions = new OwnFunctions(this.runtime, document, { trace: trace.steps, signal: limit, redactor });
    const call: ExtensionContext['extensions']['call'] = async (appId, called, params = {}) => {
      if (appId !== document.app.id)
        throw new ExtensionError('CALL_UNAVAILABLE', 'A smoke test cannot call other apps.');
      return (await functions.runFunction(called, params)).data;
    };
    functions.context = memoryContext({
      document,
      kind: 'function',
      user: userOf(user),
      platform: MemoryPlatform.withSecrets(document, user.user_id),
      effects: trace.effects,
      redactor,
      capabilities: functions.capabilities,
      call,
    });
    const timeOut = () => limit.abort(RunErrors.timeout(SMOKE_TESTS.maxMs));
    const timer = setTimeout(timeOut, end - performance.now());
    const run = functions.runFunction(name, args as JsonObject).finally(() => clearTimeout(timer));
    const outcome = await run.then(
      ({ data }) => ({ ok: true, result: data, error: null, error_code: null }),
      (error: unknown) => {
        if (error instanceof ExtensionError)
          return { ok: false, result: null, error: error.message, error_code: error.code };
        throw error;
      },
    );
    return redactor.redactValue({ ...outcome, trace }) as SmokeTestResponse;
  }

  onApplicationShutdown(): Promise<void> {
    return this.checks.stop();
  }

  private async parsed(sent: object, userId: string): Promise<AppDocument> {
    const result = await this.checks
      .runTask<ReadResult>(userId, 'read', { json: JSON.stringify(sent) })
      .catch((error: unknown): ReadResult => {
        if (!(error instanceof TaskEnded)) throw error;
        const message = 'Checking this document takes too much time or memory. Make it simpler.';
        return { ok: false, issues: [{ pointer: '', rule: 'document_size', message }] };
      });
    if (!result.ok) throw refused(result.issues);
    return JSON.parse(result.json) as AppDocument;
  }
}

/** Functions of one document in one smoke test. They run one after the other, in one context. */
class OwnFunctions {
  context!: ExtensionContext;
  readonly capabilities: readonly string[];
  private readonly app: CompiledApp;
  private readonly chain: string[] = [];

  constructor(
    private readonly runtime: HandlerRuntime,
    document: AppDocument,
    /** Input of each run. */
    private readonly input: { trace: TracedStep[]; signal: CancellationSignal; redactor: SecretRedactor },
  ) {
    this.app = compileApp(document);
    this.capabilities = capabilitiesOf(document.app);
  }

  async runFunction(name: string, event: JsonObject): Promise<HandlerResult> {
    const called = this.app.functions.get(name);
    if (!called) throw new ExtensionError('UNKNOWN_SUB_FUNCTION', `The app has no function "${name}".`);
    const { callDepth } = RUN_LIMITS.function;
    if (this.chain.includes(name))
      throw new ExtensionError('CALL_CYCLE', `The function "${name}" is already running in this chain of calls.`);
    if (this.chain.length >= callDepth)
      throw new ExtensionError('CALL_TOO_DEEP', `Calls can be nested at most ${callDepth} levels deep.`);
    const issue = compileParamsCheck(called.definition.params_schema)(event);
    if (issue) throw new ExtensionError(issue.code, issue.message);
    this.chain.push(name);
    try {
      return await this.runtime.runHandler(called, {
        event,
        context: this.context,
        kind: 'function',
        capabilities: this.capabilities,
        ...this.input,
      });
    } finally {
      this.chain.pop();
    }
  }
}

const refused = (issues: DocumentIssue[]): ValidationFailed =>
  new ValidationFailed(
    issues.map(({ pointer, rule, message }) => ({
      loc: ['body', 'document', ...pointer.split('/').slice(1)],
      msg: message,
      type: rule,
    })),
  );
