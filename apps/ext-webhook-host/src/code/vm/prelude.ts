/**
 * Runs inside QuickJS before the modules of the app. Creates the globals of handlers and `ctx` from
 * a few functions of the host. It is evaluated once and is then a part of the memory from which
 * every run starts; `begin` sets the data of a run. A handler can change every built-in that it
 * finds here. That harms only its own run: the host accepts only texts and numbers.
 */

import {
  CONTEXT,
  type ContextName,
  type ContextPart,
  type CustomMembers,
  type CustomName,
} from '@platform/app-document/context-table';

/**
 * Functions of the host. They return failures as text, because nothing can be thrown across the
 * boundary.
 */
interface Host {
  /**
   * Makes a context call. Returns an error as JSON if the call is refused, otherwise undefined; the
   * answer comes to `settle`. `id` 0: no answer is expected.
   */
  call(id: number, path: string, args: string, asUser?: string, forUser?: string): string | undefined;
  /**
   * Makes a context call, and blocks until the answer. Its first character is `1` for a value and
   * `0` for an error; then comes the JSON.
   */
  callNow(path: string, args: string, asUser?: string, forUser?: string): string;
  done(result: string): void;
  failed(reason: string, error: string): void;
  startTimer(id: number, ms: number): string | undefined;
  stopTimer(id: number): void;
  random(bytes: number): ArrayBuffer;
  utf8(text: string): ArrayBuffer;
  text(bytes: ArrayBuffer): string;
  base64(bytes: ArrayBuffer): string;
  fromBase64(text: string): ArrayBuffer;
}

interface Settings {
  event: unknown;
  /** Keys of the event that are requested when the handler reads them. */
  lazyEvent: string[];
  known: { app: unknown; user: Record<string, unknown>; kind: string };
  /** Members that the kind of the call does not have, or that the version may not use. */
  unavailable: string[];
  logLines: number;
}

type Handler = (event: unknown, ctx: object) => unknown;
type Namespace = Record<string, unknown>;

const RESULT = Symbol.for('platform.result');
const { parse, stringify } = JSON;
const { defineProperty, keys } = Object;

/**
 * Methods of each member of `ctx` that need no code of their own: calls with JSON that return a
 * promise of JSON. `CALLS.cache` is `['get', 'set', 'delete']`.
 */
const CALLS: Record<string, string[]> = {};
/** Members of `ctx` that are such a method themselves, for example `once`. */
const METHODS: string[] = [];
for (const name of keys(CONTEXT)) {
  const { method, methods = {} }: ContextPart = CONTEXT[name as ContextName];
  CALLS[name] = keys(methods).filter((member) => !methods[member]?.crosses);
  if (method && !method.crosses) METHODS.push(name);
}

class ExtensionError extends Error {
  override name = 'ExtensionError';
  readonly code: string;
  readonly retryable: boolean;
  readonly details: object;

  constructor(
    code: string,
    message: string,
    { retryable = false, details = {} }: { retryable?: boolean; details?: object } = {},
  ) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.details = details;
  }
}

export default function prelude(host: Host) {
  const waiting = new Map<number, (ok: boolean, text: string) => void>();
  const timers = new Map<number, () => void>();
  let lastId = 0;
  let unavailable = new Set<string>();
  let known: Settings['known'];
  let logLinesLeft = 0;
  let randomBytes = new Uint8Array(0);

  // --- Calls of the context ---------------------------------------------------------------------------------------------------------

  const argumentsText = (args: unknown[]): string => {
    while (args.length && args[args.length - 1] === undefined) args.pop();
    try {
      return jsonOf(args);
    } catch (error) {
      throw new ExtensionError('JSON_INVALID', `The arguments are not valid JSON: ${messageOf(error)}`);
    }
  };

  const valueOf = (text: string): unknown => (text === '' ? undefined : parse(text));

  const failWith = (failure: ExtensionError, text: string): ExtensionError => {
    const { code, message, retryable, details } = parse(text) as ExtensionError;
    return Object.assign(failure, { code, message, retryable, details });
  };

  const callNow = (path: string, of: Scope = {}, ...args: unknown[]): unknown => {
    const answer = host.callNow(path, argumentsText(args), of.asUser, of.forUser);
    if (answer[0] === '1') return valueOf(answer.slice(1));
    throw failWith(new ExtensionError('', ''), answer.slice(1));
  };

  const call = (path: string, of: Scope, args: unknown[]): Promise<unknown> => {
    // Created here, so that its stack names the line of the handler that called.
    const failure = new ExtensionError('', '');
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      const argsText = argumentsText(args);
      // Each argument that crosses into the host costs time, even undefined.
      const refused = isOwn(of) ? host.call(id, path, argsText) : host.call(id, path, argsText, of.asUser, of.forUser);
      if (refused !== undefined) throw failWith(failure, refused);
      waiting.set(id, (ok, text) => (ok ? resolve(valueOf(text)) : reject(failWith(failure, text))));
    });
  };

  const log = (message: string, level: string): void => {
    if (logLinesLeft-- > 0) host.call(0, 'log', `[${stringify(message)},${stringify(level)}]`);
  };

  // --- ctx --------------------------------------------------------------------------------------------------------------------------

  interface Scope {
    asUser?: string;
    forUser?: string;
  }

  const isOwn = ({ asUser, forUser }: Scope): boolean => asUser === undefined && forUser === undefined;

  /**
   * Throws if a member of `ctx` is unavailable in this run. The host gives the error, and records
   * the attempt.
   */
  const assertAvailable = (capability: string, of: Scope): void => {
    if (unavailable.has(capability)) callNow('touch', of, capability);
  };

  type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>;

  const methods = (part: string, names: readonly string[], of: Scope): Calls => {
    const calls: Calls = {};
    for (const name of names) {
      const path = `${part}.${name}`;
      const unavailableCall = async (args: unknown[]): Promise<unknown> => {
        assertAvailable(path, of);
        return call(path, of, args);
      };
      // Not async: the promise of the call is the answer, and an async function around it would cost the engine two more jobs.
      calls[name] = (...args: unknown[]) => (unavailable.has(path) ? unavailableCall(args) : call(path, of, args));
    }
    return calls;
  };

  const withBytes = (response: Record<string, unknown>): Record<string, unknown> => {
    const { bytes } = response;
    return lazy(response, 'bytes', () => bytesOf(bytes as string));
  };

  const request =
    (method: string, of: Scope) =>
    async (url: string, options?: Record<string, unknown>): Promise<unknown> => {
      const body = options?.['body'];
      const sent = isBytes(body) ? { ...options, body: undefined, body_base64: base64Of(body) } : options;
      return withBytes((await call(`http.${method}`, of, [url, sent])) as Record<string, unknown>);
    };

  const checkedUser = (path: string, of: Scope, userId: string): string => {
    if (typeof userId !== 'string') callNow(path, of, userId);
    return userId;
  };

  /**
   * Makes the member `forUser` of a part of `ctx`, which returns the same part for another user.
   */
  const forUserOf = (part: 'store' | 'notify', of: Scope) => (userId: string) => {
    assertAvailable(`${part}.forUser`, of);
    return made[part]?.({ ...of, forUser: checkedUser(`${part}.forUser`, of, userId) });
  };

  const timeOf = (of: Scope): object => {
    const { timezone, utc_offset } = callNow('time', of) as { timezone: string; utc_offset: string };
    const [hours = 0, minutes = 0] = utc_offset.slice(1).split(':').map(Number);
    const shift = (hours * 60 + minutes) * 60_000 * (utc_offset[0] === '-' ? -1 : 1);
    const local = (): Date => new Date(Date.now() + shift);
    return {
      timezone,
      utc_offset,
      get now_utc() {
        return new Date().toISOString();
      },
      get now_local() {
        return local().toISOString().replace('Z', utc_offset);
      },
      get hour_local() {
        return local().getUTCHours();
      },
      get is_business_hours() {
        const [day, hour] = [local().getUTCDay(), local().getUTCHours()];
        return day >= 1 && day <= 5 && hour >= 9 && hour < 17;
      },
    };
  };

  /**
   * Members of `CONTEXT` with their own code, such as `store.forUser`. `calls` are the other
   * methods of the part, such as `store.get`. A missing member is a compile error.
   */
  const custom: {
    [Name in CustomName]: (
      of: Scope,
      calls: Calls,
    ) => [CustomMembers<Name>] extends [never] ? unknown : Readonly<Record<CustomMembers<Name>, unknown>>;
  } = {
    app: () => known.app,
    user: (of) => {
      const user = of.asUser === undefined ? known.user : (callNow('user', of) as object);
      return {
        ...user,
        hasScope: (scope: string) => callNow('user.hasScope', of, scope),
        hasRole: (role: string) => (user as { role?: string }).role === role,
      };
    },
    tenant: (of) => callNow('tenant', of),
    store: (of, calls) => ({ ...calls, forUser: forUserOf('store', of) }),
    http: (of) => ({
      get: request('get', of),
      post: request('post', of),
      put: request('put', of),
      patch: request('patch', of),
      delete: request('delete', of),
    }),
    cache: (_of, calls) => ({
      ...calls,
      getOrFetch: async (key: string, fetch: () => unknown, ttlSeconds?: number): Promise<unknown> => {
        const found = await calls['get']?.(key);
        if (found !== undefined) return found;
        const value = await fetch();
        await calls['set']?.(key, value, ttlSeconds);
        return value;
      },
    }),
    notify: (of, calls) => ({ ...calls, forUser: forUserOf('notify', of) }),
    storage: (of, calls) => ({
      ...calls,
      upload: (path: string, bytes: unknown, contentType: string) =>
        call('storage.upload', of, [path, base64Of(bytes), contentType]),
      download: async (path: string) => {
        const found = (await call('storage.download', of, [path])) as string | null;
        return found === null ? null : bytesOf(found);
      },
    }),
    webhook: (of) =>
      lazy(
        { verify: (options: unknown) => callNow('webhook.verify', of, options) },
        'receivedAt',
        () => new Date(callNow('webhook.receivedAt', of) as string),
      ),
    time: (of) => timeOf(of),
    log:
      () =>
      (message: unknown, level: unknown = 'info') =>
        log(String(message), String(level)),
    webhookUrl: (of) => (path: string) => callNow('webhookUrl', of, path),
    asUser: (of) => async (userId: string) => {
      await call('asUser', of, [userId]);
      return contextOf({ asUser: userId });
    },
  };

  /**
   * Creates each member of `ctx`: `store` has its own code, `once` is one call, `config` is an
   * object of calls.
   */
  const made: Record<string, (of: Scope) => unknown> = {};
  for (const name of keys(CALLS)) {
    const calls = CALLS[name] ?? [];
    const own = custom[name as CustomName] as ((of: Scope, calls: Calls) => unknown) | undefined;
    if (own) made[name] = (of) => own(of, methods(name, calls, of));
    else if (METHODS.includes(name)) {
      made[name] =
        (of) =>
        (...args: unknown[]) =>
          call(name, of, args);
    } else made[name] = (of) => methods(name, calls, of);
  }

  const contextOf = (of: Scope): object => {
    const ctx = {};
    for (const name of keys(made)) {
      let read: { part: unknown } | null = null;
      defineProperty(ctx, name, {
        enumerable: true,
        get: () => {
          assertAvailable(name, of);
          return (read ??= { part: made[name]?.(of) }).part;
        },
      });
    }
    return ctx;
  };

  // --- Globals ----------------------------------------------------------------------------------------------------------------------

  const offer = (name: string, value: unknown): void => {
    defineProperty(globalThis, name, { value, writable: true, configurable: true });
  };
  const line =
    (level: string) =>
    (...values: unknown[]) =>
      log(values.map(shown).join(' '), level);
  offer('console', {
    debug: line('info'),
    log: line('info'),
    info: line('info'),
    warn: line('warning'),
    error: line('error'),
  });
  offer('ExtensionError', ExtensionError);
  offer(
    'TextEncoder',
    class TextEncoder {
      readonly encoding = 'utf-8';
      encode(text: unknown = ''): Uint8Array {
        return new Uint8Array(host.utf8(String(text)));
      }
    },
  );
  offer(
    'TextDecoder',
    class TextDecoder {
      readonly encoding = 'utf-8';
      constructor(encoding = 'utf-8') {
        if (!/^utf-?8$/i.test(encoding)) throw new RangeError(`TextDecoder supports only utf-8, not ${encoding}.`);
      }
      decode(bytes?: unknown): string {
        return bytes === undefined ? '' : host.text(bufferOf(bytes));
      }
    },
  );
  offer('atob', (text: unknown) => String.fromCharCode(...new Uint8Array(host.fromBase64(String(text)))));
  offer('btoa', (text: unknown) =>
    host.base64(Uint8Array.from(String(text), (character) => character.charCodeAt(0)).buffer),
  );

  const take = (bytes: number): Uint8Array => {
    if (randomBytes.length < bytes) randomBytes = new Uint8Array(host.random(Math.max(bytes, 512)));
    const taken = randomBytes.subarray(0, bytes);
    randomBytes = randomBytes.subarray(bytes);
    return taken;
  };
  const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  offer('crypto', {
    randomUUID: (): string => {
      const bytes = take(16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    getRandomValues: (array: Uint8Array): Uint8Array => {
      if (!isBytes(array) || array.byteLength > 65_536)
        throw new TypeError('getRandomValues takes an array of at most 65536 bytes.');
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(
        new Uint8Array(host.random(array.byteLength)),
      );
      return array;
    },
  });
  // All runs start from the same memory: the engine's own generator would give each run the same
  // numbers.
  Math.random = () => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = take(6);
    return ((((a * 256 + b) * 256 + c) * 256 + d) * 256 + e + f / 256) / 2 ** 40;
  };

  offer('setTimeout', (work: (...args: unknown[]) => unknown, ms: unknown = 0, ...args: unknown[]) => {
    if (typeof work !== 'function') throw new TypeError('setTimeout takes a function.');
    const id = ++lastId;
    const refused = host.startTimer(id, Number(ms) || 0);
    if (refused !== undefined) throw failWith(new ExtensionError('', ''), refused);
    timers.set(id, () => work(...args));
    return id;
  });
  offer('clearTimeout', (id: number) => {
    if (timers.delete(id)) host.stopTimer(id);
  });

  // --- Bytes ------------------------------------------------------------------------------------------------------------------------

  const bufferOf = (bytes: unknown): ArrayBuffer => {
    if (bytes instanceof ArrayBuffer) return bytes;
    if (!isBytes(bytes)) throw new TypeError('Expected bytes as a Uint8Array or an ArrayBuffer.');
    const { buffer, byteOffset, byteLength } = bytes;
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  };
  const base64Of = (bytes: unknown): string => host.base64(bufferOf(bytes));
  const bytesOf = (base64: string): Uint8Array => new Uint8Array(host.fromBase64(base64));

  /**
   * Replaces bytes in the `body` of a webhook's answer by `body_base64`. Other values stay as they
   * are.
   */
  const withBase64Body = (value: unknown): unknown => {
    if (known.kind !== 'webhook' || typeof value !== 'object' || value === null) return value;
    const { body, ...others } = value as Record<string, unknown>;
    return isBytes(body) ? { ...others, body_base64: base64Of(body) } : value;
  };

  // --- A run ------------------------------------------------------------------------------------------------------------------------

  const eventOf = ({ event, lazyEvent }: Settings): unknown => {
    for (const key of lazyEvent) lazy(event as object, key, () => callNow('event', {}, key));
    return event;
  };

  const ctx = contextOf({});

  return {
    /** Calls the handler that `module` exports as `entry`. The host receives its outcome. */
    async begin(module: Namespace, entry: string, text: string): Promise<void> {
      const settings = parse(text) as Settings;
      unavailable = new Set(settings.unavailable);
      known = settings.known;
      logLinesLeft = settings.logLines;
      randomBytes = new Uint8Array(0);
      let result: string;
      try {
        const handler = module[entry];
        if (typeof handler !== 'function')
          throw new ExtensionError('UNKNOWN_EXPORT', `The module exports no function "${entry}".`);
        const value = await (handler as Handler)(eventOf(settings), ctx);
        try {
          result = resultText(withBase64Body(value));
        } catch (error) {
          host.failed('result', textsJson({ message: `The result is not valid JSON: ${messageOf(error)}` }));
          return;
        }
      } catch (error) {
        host.failed('thrown', describe(error));
        return;
      }
      host.done(result);
    },
    /**
     * Settles the promise of a call: with the value in `text`, or with the error in it if `ok` is
     * false.
     */
    settle(id: number, ok: boolean, text: string): void {
      const settled = waiting.get(id);
      waiting.delete(id);
      settled?.(ok, text);
    },
    /**
     * Runs the function of an expired timer. An error that it throws ends the run; a promise that
     * it returns is not observed.
     */
    fire(id: number): void {
      const work = timers.get(id);
      timers.delete(id);
      try {
        work?.();
      } catch (error) {
        host.failed('thrown', describe(error));
      }
    },
    describe,
  };
}

/**
 * JSON list of data, summary and ui of a handler's result. The SDK's helper `result()` marks its
 * objects with a symbol, which data cannot have; any other value is the data.
 *
 * @throws TypeError as `jsonOf`.
 */
function resultText(value: unknown): string {
  const marked = typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[RESULT] === true;
  const { data, summary, ui } = marked ? (value as Record<string, unknown>) : { data: value, summary: null, ui: null };
  return jsonOf([data ?? null, summary ?? null, ui ?? null]);
}

/**
 * JSON of a value. Undefined fields are dropped, and undefined in a list becomes null, as in
 * `JSON.stringify`.
 *
 * @throws TypeError for a number that is not finite, a function, a symbol, a BigInt, a cycle, and a
 * `toJSON` that returns nothing; any error of a `toJSON`.
 */
function jsonOf(value: unknown): string {
  return stringify(value, jsonOnly);
}

function jsonOnly(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`"${key}" is ${value}.`);
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`"${key}" is a ${typeof value}.`);
  if (value === undefined && this[key] !== undefined) throw new TypeError(`The toJSON of "${key}" returns nothing.`);
  return value;
}

/**
 * JSON of an object of texts and booleans. A `toJSON` on `Object.prototype` has no effect on it.
 */
const textsJson = (texts: Record<string, string | boolean | undefined>): string =>
  `{${keys(texts)
    .filter((name) => texts[name] !== undefined)
    .map((name) => `${stringify(name)}:${stringify(texts[name])}`)
    .join()}}`;

function describe(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return textsJson({ message: String(thrown) });
    const { name, message, code, retryable, details, stack } = thrown as Record<string, unknown>;
    return textsJson({
      name: name === undefined ? undefined : asText(name),
      message: message === undefined ? shown(thrown) : asText(message),
      code: code === undefined ? undefined : asText(code),
      retryable: retryable === true,
      details: typeof details === 'object' && details !== null ? textOf(details) : undefined,
      stack: stack === undefined ? undefined : asText(stack),
    });
  } catch {
    return '{"message":"The thrown value cannot be described."}';
  }
}

function textOf(value: unknown): string | undefined {
  try {
    return stringify(value);
  } catch {
    return undefined;
  }
}

/** Text of any value, by its own `toString`, which can throw. */
const asText = String as (value: unknown) => string;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error)
    return value.stack ? `${value.name}: ${value.message}\n${value.stack}` : `${value.name}: ${value.message}`;
  return (typeof value === 'object' && value !== null ? textOf(value) : undefined) ?? String(value);
}

const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value);

/** Adds a property that is computed when it is first read. */
function lazy<Target extends object, Key extends string>(
  target: Target,
  key: Key,
  make: () => unknown,
): Target & Record<Key, unknown> {
  let made: { value: unknown } | null = null;
  const get = (): unknown => (made ??= { value: make() }).value;
  return defineProperty(target, key, { enumerable: true, configurable: true, get }) as Target & Record<Key, unknown>;
}
