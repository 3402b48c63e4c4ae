import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@platform/app-document';
import {
  DECLARABLE_PATHS,
  CAPABILITIES,
  ExtensionError,
  isPathAllowed,
  isAvailable,
  type CallKind,
  type Capability,
} from '@platform/extension-sdk/runtime';
import type { CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from '../../handlers/handler-runtime.js';
import { CODE_LIMITS, cpuLimitOf } from '../code-limits.js';
import { CodeErrors } from './code.errors.js';
import { ContextBridge } from './context-bridge.js';
import type { CodeHandler } from './code-handler.js';
import type { Thrown } from '../protocol.js';
import { parseSandboxJson } from './sandbox-json.js';
import { RunFailed } from './sandbox-process.js';
import { SandboxSupervisor } from './sandbox-supervisor.js';

const EXTENSION_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;
/** Characters of a webhook body above which the body is sent only when the handler reads it. */
const LARGE_BODY = 64 * 1024;
const LAZY_PARTS = ['body', 'body_base64', 'json'] as const;

/** Runs JavaScript handlers in a sandboxed process. */
@Injectable()
export class CodeRuntimeService implements HandlerRuntime, OnApplicationShutdown {
  constructor(private readonly sandboxes: SandboxSupervisor) {}

  async runHandler(
    handler: CompiledHandler,
    { event, context, kind, capabilities, signal, redactor, trace }: RunInput,
  ): Promise<HandlerResult> {
    signal.throwIfAborted();
    const { module, entry, app } = (handler as CodeHandler).code;
    const bridge = new ContextBridge(context, event, trace);
    const cpuMs = cpuLimitOf(kind);
    const began = performance.now();
    const sandbox = await this.sandboxes.getProcess().catch((error: unknown) => {
      throw CodeErrors.unavailable(error);
    });
    try {
      const result = await sandbox.runHandler({
        app: context.app.app_id,
        unavailable: unavailableIn(kind, capabilities),
        code: app.hash,
        modules: app.modules,
        module,
        entry,
        ...eventTexts(handler, event),
        known: JSON.stringify({ app: context.app, user: context.user, kind }),
        cpuMs,
        signal,
        onCall: (call) => bridge.call(call),
      });
      return resultOf(result);
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      const failure = failureOf(error, cpuMs, redactor);
      const { code: error_code, message, details } = failure;
      const stack = details['stack'] as string | undefined;
      trace?.push({
        id: `${module}.${entry}`,
        kind: 'code',
        action: 'run',
        ok: false,
        result: { error: message, error_code, ...(stack !== undefined && { stack }) },
        ms: Math.round(performance.now() - began),
      });
      throw failure;
    }
  }

  onApplicationShutdown(): void {
    this.sandboxes.stop();
  }
}

/**
 * Unavailable members of the context for each kind of run. The key is the list of a version, which
 * is the same object in all its runs.
 */
const unavailable = new WeakMap<readonly string[], Map<CallKind, readonly string[]>>();

/**
 * Members of the context that the kind of the run does not have, or that the version may not use.
 */
function unavailableIn(kind: CallKind, capabilities: readonly string[]): readonly string[] {
  const ofKinds = unavailable.get(capabilities) ?? new Map<CallKind, readonly string[]>();
  unavailable.set(capabilities, ofKinds);
  let paths = ofKinds.get(kind);
  if (!paths) {
    const ofKind = (Object.keys(CAPABILITIES) as Capability[]).filter((capability) => !isAvailable(capability, kind));
    paths = [...new Set([...ofKind, ...DECLARABLE_PATHS.filter((path) => !isPathAllowed(path, capabilities))])];
    ofKinds.set(kind, paths);
  }
  return paths;
}

/**
 * JSON of the event of a run. If the body of a webhook request has more than 64 Ki characters, the
 * event lacks it, because it would fill the memory of the handler several times over; `lazyEvent`
 * then names the parts that the handler requests when it reads them.
 */
function eventTexts({ kind }: CompiledHandler, event: JsonValue): { event: string; lazyEvent: string[] } {
  const isLarge = kind === 'webhook' && lengthOf((event as JsonObject)['body']) > LARGE_BODY;
  if (!isLarge) return { event: JSON.stringify(event), lazyEvent: [] };
  const {
    body: _body,
    body_base64: _base64,
    json: _json,
    ...small
  } = Object.getOwnPropertyDescriptors(event as JsonObject);
  return { event: JSON.stringify(Object.defineProperties({}, small)), lazyEvent: [...LAZY_PARTS] };
}

const lengthOf = (text: JsonValue | undefined): number => (typeof text === 'string' ? text.length : 0);

function resultOf(text: string): HandlerResult {
  if (Buffer.byteLength(text) > CODE_LIMITS.resultBytes) throw CodeErrors.result('The result is too large.');
  const [data = null, summary, ui] = parseSandboxJson(text, CODE_LIMITS.depth + 1) as JsonValue[];
  return {
    data,
    summary: typeof summary === 'string' ? summary : null,
    ui: typeof ui === 'object' && !Array.isArray(ui) ? ui : null,
  };
}

/** Longest message and stack of a thrown error, in characters; longer ones are cut. */
const MAX_MESSAGE = 2_000;
const MAX_STACK = 8_192;
const MAX_STACK_LINES = 20;

function failureOf({ reason, thrown }: RunFailed, cpuMs: number, redactor: RunInput['redactor']): ExtensionError {
  switch (reason) {
    case 'cpu':
      return CodeErrors.cpu(cpuMs);
    case 'memory':
      return CodeErrors.memory();
    case 'crowded':
      return CodeErrors.crowded();
    case 'result':
      return CodeErrors.result(redactor.redactBeginning(thrown.message, MAX_MESSAGE, thrown.isCut));
    case 'stalled':
      return CodeErrors.stalled();
    case 'busy':
      return CodeErrors.busy();
    case 'restarted':
      return CodeErrors.restarted();
    default:
      return thrownError(thrown, redactor);
  }
}

function thrownError(
  { code, message, retryable, details, stack = '', isCut }: Thrown,
  redactor: RunInput['redactor'],
): ExtensionError {
  const isOwn = code !== undefined && EXTENSION_CODE.test(code);
  const shown = redactor.redactBeginning(message, MAX_MESSAGE, isCut);
  const frames = redactor.redactBeginning(stack, MAX_STACK, isCut).split('\n').slice(0, MAX_STACK_LINES).join('\n');
  return new ExtensionError(
    isOwn ? code : 'HANDLER_FAILED',
    shown || 'The handler threw something without a message.',
    {
      retryable: isOwn && retryable,
      details: { ...(isOwn && detailsOf(details)), ...(frames && { stack: frames }) },
    },
  );
}

function detailsOf(text: string | undefined): JsonObject {
  try {
    const details = text === undefined ? {} : parseSandboxJson(text);
    return typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {};
  } catch {
    return {};
  }
}
