import type { JsonObject, JsonValue } from '@platform/app-document';
import { ExtensionError, type ExtensionContext, type LogLevel } from '@platform/extension-sdk/runtime';
import { deeperThan } from '@platform/platform';
import type { TracedStep } from '../../handlers/handler-runtime.js';
import { Trace } from '../../handlers/trace.js';
import { CODE_LIMITS } from '../code-limits.js';
import { CodeErrors } from './code.errors.js';
import type { ContextCall } from '../protocol.js';
import { sandboxedJson } from './sandboxed-json.js';
import type { Answer } from './sandbox-process.js';

type Shape = 'text' | 'object' | 'number' | 'json';
type Shapes = readonly (Shape | `${Shape}?`)[];

/** What a handler may call, with the arguments that it takes; more are dropped. */
const METHODS: Readonly<Record<string, Shapes>> = {
  'store.create': ['text', 'object'],
  'store.get': ['text', 'text'],
  'store.query': ['text', 'object?'],
  'store.update': ['text', 'text', 'object', 'text?'],
  'store.updateMany': ['text', 'object', 'object'],
  'store.delete': ['text', 'text'],
  'store.deleteMany': ['text', 'object'],
  'store.count': ['text', 'object?'],
  'store.set': ['text', 'object'],
  'store.listUsers': ['text', 'object?'],
  'store.queryAll': ['text', 'object?'],
  'http.get': ['text', 'object?'],
  'http.post': ['text', 'object?'],
  'http.put': ['text', 'object?'],
  'http.patch': ['text', 'object?'],
  'http.delete': ['text', 'object?'],
  'config.get': ['text', 'json?'],
  'config.getSection': ['text'],
  'config.all': [],
  'secrets.get': ['text'],
  'secrets.set': ['text', 'text'],
  'secrets.delete': ['text'],
  'secrets.isSet': ['text'],
  'secrets.list': [],
  'cache.get': ['text'],
  'cache.set': ['text', 'json', 'number?'],
  'cache.delete': ['text'],
  'extensions.call': ['text', 'text', 'object?'],
  'extensions.emit': ['text', 'object'],
  'notify.send': ['object'],
  'ai.complete': ['text', 'object?'],
  'billing.getBalance': [],
  'billing.getSubscription': [],
  'billing.checkLimits': [],
  'billing.trackUsage': ['text', 'number'],
  'storage.delete': ['text'],
  'storage.list': ['text?', 'text?'],
  'storage.upload': ['text', 'text', 'text'],
  'storage.download': ['text'],
  'skeleton.get': ['text'],
  'webhook.verify': ['object'],
  'user.hasScope': ['text'],
  once: ['text', 'number?'],
  webhookUrl: ['text'],
  progress: ['number', 'text?'],
  backgroundTask: ['text', 'object', 'object?'],
  deliverChatMessage: ['text', 'object?'],
  oauthAuthorizeUrl: ['text'],
};

type Part = Record<string, unknown>;

/** Does for a handler in the sandbox what it asks of its context, with the context's own restrictions, and nothing else. */
export class ContextBridge {
  private readonly users = new Map<string, Promise<ExtensionContext>>();
  private readonly trace: Trace | null;
  private calls = 0;

  constructor(
    private readonly context: ExtensionContext,
    /** Of a webhook: parts of it are asked for one by one. */
    private readonly event: JsonValue,
    trace: TracedStep[] | undefined,
  ) {
    this.trace = trace ? new Trace(trace) : null;
  }

  /** @throws whatever is no failure of the extension. */
  async call(call: ContextCall): Promise<Answer> {
    // The sandbox counts them too; who has broken out of it does not.
    if (++this.calls > CODE_LIMITS.calls + CODE_LIMITS.logLines) throw CodeErrors.unknownCall('more to give');
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
    const given = sandboxedJson(args, CODE_LIMITS.depth + 1) as JsonValue[];
    const [first, second] = given;
    const context = asUser === null ? this.context : await this.as(asUser);
    switch (path) {
      case 'log':
        assertShapes(path, given, ['text', 'text']);
        context.log(first as string, second as LogLevel);
        return null;
      case 'touch':
        assertShapes(path, given, ['text']);
        return touch(context, first as string);
      case 'event':
        assertShapes(path, given, ['text']);
        return (this.event as JsonObject)[first as string];
      case 'asUser':
        assertShapes(path, given, ['text']);
        await this.as(first as string);
        return null;
      case 'store.forUser':
      case 'notify.forUser':
        // Asked for when the id is no text, to be told so.
        (context[path === 'store.forUser' ? 'store' : 'notify'].forUser as (id: unknown) => unknown)(first);
        return null;
      case 'user':
        // Its methods are no JSON.
        return context.user;
      case 'tenant':
        return context.tenant;
      case 'time': {
        const { timezone, utc_offset } = context.time;
        return { timezone, utc_offset };
      }
      case 'webhook.receivedAt':
        return context.webhook.receivedAt.toISOString();
      case 'http.get':
      case 'http.post':
      case 'http.put':
      case 'http.patch':
      case 'http.delete':
        return this.http(context, path, given);
      case 'storage.upload': {
        assertShapes(path, given, METHODS[path] ?? []);
        const [to, base64, type] = given as [string, string, string];
        return context.storage.upload(to, Buffer.from(base64, 'base64'), type);
      }
      case 'storage.download': {
        assertShapes(path, given, METHODS[path] ?? []);
        const bytes = await context.storage.download(first as string);
        return bytes && Buffer.from(bytes).toString('base64');
      }
      default:
        return this.method(context, path, forUser, given);
    }
  }

  private method(context: ExtensionContext, path: string, forUser: string | null, given: JsonValue[]): unknown {
    const shapes = Object.hasOwn(METHODS, path) ? METHODS[path] : undefined;
    if (!shapes) throw CodeErrors.unknownCall(path);
    const values = assertShapes(path, given, shapes);
    const [name = '', member] = path.split('.');
    const part = (context as unknown as Part)[name];
    if (!member) return (part as (...values: unknown[]) => unknown)(...values);
    const of = forUser === null ? part : (part as ExtensionContext['store']).forUser(forUser);
    return ((of as Part)[member] as (...values: unknown[]) => unknown)(...values);
  }

  private async http(context: ExtensionContext, path: string, given: JsonValue[]): Promise<unknown> {
    const [url, options] = assertShapes(path, given, METHODS[path] ?? []) as [string, JsonObject | undefined];
    const { body_base64: base64, ...more } = options ?? {};
    const sent = typeof base64 === 'string' ? { ...more, body: Buffer.from(base64, 'base64') } : more;
    const method = path.slice('http.'.length) as keyof ExtensionContext['http'];
    const { bytes, ...response } = await context.http[method](url, sent);
    return { ...response, bytes: Buffer.from(bytes).toString('base64') };
  }

  private as(userId: string): Promise<ExtensionContext> {
    let user = this.users.get(userId);
    if (!user) this.users.set(userId, (user = this.context.asUser(userId)));
    return user;
  }

  private traceOf({ path, forUser }: ContextCall, ok: boolean, value: unknown, started: number): void {
    if (!this.trace || path === 'log') return;
    const [kind = '', ...action] = path.split('.');
    const step = { id: `${this.calls}`, kind, action: [...action, ...(forUser === null ? [] : [`for ${forUser}`])].join(' ') };
    if (ok) this.trace.done(step, (value ?? null) as JsonValue, started);
    else this.trace.failed(step, value, started);
  }
}

/** The engine of handlers, like our own functions that go through values, has no stack for one that is nested without end. */
function answerText(path: string, value: unknown): string {
  if (value === undefined) return '';
  const text = jsonOrNull(value);
  if (text === null || deeperThan(Buffer.from(text), CODE_LIMITS.answerDepth)) throw CodeErrors.answerTooDeep(path);
  return text;
}

/** Null where there is no stack for it. */
function jsonOrNull(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads what the kind of the run has not, which raises and is noted. */
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
  // A null at the end or in the middle stands for what was undefined.
  return shapes.map((shape, at) =>
    shape.endsWith('?') && given[at] === null && !shape.startsWith('json') ? undefined : given[at],
  ) as JsonValue[];
}

function fits(value: JsonValue, shape: Shapes[number]): boolean {
  if (shape.startsWith('json')) return true;
  if (shape.startsWith('text')) return typeof value === 'string';
  if (shape.startsWith('number')) return typeof value === 'number';
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Options of a wrong type that nobody looked at before are the handler's mistake; anything else is the platform's. */
function asExtensionError(error: unknown, path: string): ExtensionError {
  if (error instanceof ExtensionError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return CodeErrors.argumentInvalid(path, error);
  throw error;
}
