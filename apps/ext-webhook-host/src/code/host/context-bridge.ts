import {
  CONTEXT_METHODS,
  type ArgumentShape,
  type JsonObject,
  type JsonValue,
  type MethodPath,
  type PathCrossing,
} from '@platform/app-document';
import {
  ExtensionError,
  type ContextHttp,
  type ExtensionContext,
  type LogLevel,
} from '@platform/extension-sdk/runtime';
import { isDeeperThan } from '@platform/platform';
import type { TracedStep } from '../../handlers/handler-runtime.js';
import { Trace } from '../../handlers/trace.js';
import { CODE_LIMITS } from '../code-limits.js';
import { CodeErrors } from './code.errors.js';
import type { ContextCall } from '../protocol.js';
import { parseSandboxJson } from './sandbox-json.js';
import type { Answer } from './sandbox-process.js';

type Shapes = readonly ArgumentShape[];

/**
 * Methods that a handler can call, with the shapes of their arguments; further arguments are
 * dropped. Members with code in the sandbox are not in the table.
 */
const METHODS: ReadonlyMap<string, Shapes> = new Map(
  [...CONTEXT_METHODS].flatMap(([path, { args, crosses }]) =>
    crosses === 'inside' || crosses === 'both' ? [] : [[path, args]],
  ),
);

type Part = Record<string, unknown>;

/** Makes the context calls of a handler in the sandbox. The restrictions of the context apply. */
export class ContextBridge {
  private readonly users = new Map<string, Promise<ExtensionContext>>();
  private readonly trace: Trace | null;
  private calls = 0;

  constructor(
    private readonly context: ExtensionContext,
    /** Event of the run. The sandbox requests large parts of a webhook's event one by one. */
    private readonly event: JsonValue,
    trace: TracedStep[] | undefined,
  ) {
    this.trace = trace ? new Trace(trace) : null;
  }

  /**
   * Makes a context call of a handler, and returns its answer. An ExtensionError, a TypeError or a
   * RangeError in the call is an answer, too. Adds the outcome to the trace, if there is one,
   * except that of a log line.
   *
   * @throws ExtensionError UNKNOWN_CALL if there were more calls than the sandbox allows, so that
   * the code must have broken out of it; all other errors of the call.
   */
  async call(call: ContextCall): Promise<Answer> {
    // The sandbox counts calls, too. Code that has broken out of it does not.
    if (++this.calls > CODE_LIMITS.calls + CODE_LIMITS.logLines) throw CodeErrors.unknownCall('more calls left');
    const started = performance.now();
    try {
      const value = await this.perform(call);
      const text = answerText(call.path, value);
      this.traceOf(call, true, value, started);
      return { ok: true, text };
    } catch (error) {
      const failure = asExtensionError(error, call.path);
      this.traceOf(call, false, failure, started);
      const { code, message, retryable, details } = failure;
      return { ok: false, text: JSON.stringify({ code, message, retryable, details }) };
    }
  }

  private async perform({ path, asUser, forUser, args }: ContextCall): Promise<unknown> {
    const given = parseSandboxJson(args, CODE_LIMITS.depth + 1) as JsonValue[];
    const context = asUser === null ? this.context : await this.as(asUser);
    switch (path) {
      case 'touch':
        assertShapes(path, given, ['text']);
        return touch(context, given[0] as string);
      case 'event':
        assertShapes(path, given, ['text']);
        return (this.event as JsonObject)[given[0] as string];
      default:
        return isCustom(path)
          ? CUSTOM[path](context, given, (userId) => this.as(userId))
          : method(context, path, forUser, given);
    }
  }

  private as(userId: string): Promise<ExtensionContext> {
    let user = this.users.get(userId);
    if (!user) this.users.set(userId, (user = this.context.asUser(userId)));
    return user;
  }

  private traceOf({ path, forUser }: ContextCall, ok: boolean, value: unknown, started: number): void {
    if (!this.trace || path === 'log') return;
    const [kind = '', ...action] = path.split('.');
    const step = {
      id: `${this.calls}`,
      kind,
      action: [...action, ...(forUser === null ? [] : [`for ${forUser}`])].join(' '),
    };
    if (ok) this.trace.recordSuccess(step, (value ?? null) as JsonValue, started);
    else this.trace.recordFailure(step, value, started);
  }
}

/**
 * Calls a method of the table `METHODS`, and no other; with `forUser`, the method of the part
 * (`store` or `notify`) for this user.
 *
 * @throws ExtensionError UNKNOWN_CALL for another path; ARGUMENT_INVALID if the arguments have
 * other types than in the table; the errors of the method.
 */
function method(context: ExtensionContext, path: string, forUser: string | null, given: JsonValue[]): unknown {
  const shapes = METHODS.get(path);
  if (!shapes) throw CodeErrors.unknownCall(path);
  const values = assertShapes(path, given, shapes);
  const [name = '', member] = path.split('.');
  const part = (context as unknown as Part)[name];
  if (!member) return (part as (...values: unknown[]) => unknown)(...values);
  const of = forUser === null ? part : (part as ExtensionContext['store']).forUser(forUser);
  return ((of as Part)[member] as (...values: unknown[]) => unknown)(...values);
}

const argumentsOf = (path: MethodPath, given: JsonValue[]): JsonValue[] =>
  assertShapes(path, given, CONTEXT_METHODS.get(path)?.args ?? []);

/** `as` returns the context of another user. */
type CustomMember = (
  context: ExtensionContext,
  given: JsonValue[],
  as: (userId: string) => Promise<ExtensionContext>,
) => unknown;

const request =
  (method: keyof ContextHttp): CustomMember =>
  async (context, given) => {
    const [url, options] = argumentsOf(`http.${method}`, given) as [string, JsonObject | undefined];
    const { body_base64: base64, ...more } = options ?? {};
    const sent = typeof base64 === 'string' ? { ...more, body: Buffer.from(base64, 'base64') } : more;
    const { bytes, ...response } = await context.http[method](url, sent);
    return { ...response, bytes: Buffer.from(bytes).toString('base64') };
  };

/**
 * Members that need code on both sides: plain values, bytes (sent as base64), and members that
 * return another part of the context.
 */
const CUSTOM: { readonly [Path in PathCrossing<'both'>]: CustomMember } = {
  // JSON drops the methods of the user.
  user: ({ user }) => user,
  tenant: ({ tenant }) => tenant,
  time: ({ time: { timezone, utc_offset } }) => ({ timezone, utc_offset }),
  'webhook.receivedAt': ({ webhook }) => webhook.receivedAt.toISOString(),
  // The sandbox always passes a level.
  log: (context, given) => {
    const [message, level] = assertShapes('log', given, ['text', 'text']) as [string, LogLevel];
    context.log(message, level);
    return null;
  },
  asUser: async (_context, given, as) => {
    const [userId] = argumentsOf('asUser', given) as [string];
    await as(userId);
    return null;
  },
  // The sandbox calls these two only if the id is not a string, to get the error.
  'store.forUser': ({ store }, [userId]) => {
    store.forUser(userId as string);
    return null;
  },
  'notify.forUser': ({ notify }, [userId]) => {
    notify.forUser(userId as string);
    return null;
  },
  'http.get': request('get'),
  'http.post': request('post'),
  'http.put': request('put'),
  'http.patch': request('patch'),
  'http.delete': request('delete'),
  'storage.upload': (context, given) => {
    const [to, base64, type] = argumentsOf('storage.upload', given) as [string, string, string];
    return context.storage.upload(to, Buffer.from(base64, 'base64'), type);
  },
  'storage.download': async (context, given) => {
    const [from] = argumentsOf('storage.download', given) as [string];
    const bytes = await context.storage.download(from);
    return bytes && Buffer.from(bytes).toString('base64');
  },
};

const isCustom = (path: string): path is keyof typeof CUSTOM => Object.hasOwn(CUSTOM, path);

/**
 * JSON of an answer; an empty text for undefined.
 *
 * @throws ExtensionError ANSWER_TOO_DEEP if it is nested deeper than 64 levels. QuickJS, and our
 * own recursive functions, would overflow their stack on a value that is nested without end.
 */
function answerText(path: string, value: unknown): string {
  if (value === undefined) return '';
  const text = jsonOrNull(value);
  if (text === null || isDeeperThan(Buffer.from(text), CODE_LIMITS.answerDepth)) throw CodeErrors.answerTooDeep(path);
  return text;
}

/** JSON of a value; null if the value is nested too deeply for the stack. */
function jsonOrNull(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Reads a member that the run does not have or that its version may not use. The context throws and
 * records the attempt.
 */
function touch(context: ExtensionContext, capability: string): null {
  const [name = '', member] = capability.split('.');
  const part = Reflect.get(context, name) as Part;
  if (member) Reflect.get(part, member);
  return null;
}

function assertShapes(path: string, given: JsonValue[], shapes: Shapes): JsonValue[] {
  shapes.forEach((shape, at) => {
    const value = given[at];
    const isLeftOut = value === undefined || value === null;
    if (isLeftOut ? shape.endsWith('?') || (shape === 'json' && value === null) : fits(value, shape)) return;
    throw CodeErrors.argumentInvalid(path);
  });
  // Null stands for an argument that was undefined.
  return shapes.map((shape, at) =>
    shape.endsWith('?') && given[at] === null && !shape.startsWith('json') ? undefined : given[at],
  ) as JsonValue[];
}

function fits(value: JsonValue, shape: Shapes[number]): boolean {
  if (shape.startsWith('json')) return true;
  if (shape.startsWith('text') || shape === 'bytes') return typeof value === 'string';
  if (shape.startsWith('number')) return typeof value === 'number';
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Makes an ExtensionError of an error in a context call. A TypeError or RangeError becomes
 * ARGUMENT_INVALID: an option of a wrong type, which nothing checked before, is a mistake of the
 * handler.
 *
 * @throws all other errors, which are faults of the platform.
 */
function asExtensionError(error: unknown, path: string): ExtensionError {
  if (error instanceof ExtensionError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return CodeErrors.argumentInvalid(path, error);
  throw error;
}
