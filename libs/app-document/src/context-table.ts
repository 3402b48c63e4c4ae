/**
 * Kinds of runs. `function` includes calls from panels, trays and menus; `schedule` includes
 * signals.
 */
export const CALL_KINDS = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle', 'health'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

type Argument = 'text' | 'number' | 'object' | 'json' | 'bytes' | 'function';
/** `?`: optional. */
export type ArgumentShape = Argument | `${Argument}?`;

/**
 * Describes how a member passes between the sandbox and the host. Without `crosses`, arguments and
 * result are JSON, the result is a promise, and no special code is needed. `inside`: only the
 * sandbox has code; the host is not called. `sandbox`: code in the sandbox, an ordinary call in the
 * host. `both`: code on both sides.
 */
export type Crossing = 'inside' | 'sandbox' | 'both';

export interface ContextMethod {
  /** Arguments of the method. Additional arguments are dropped. */
  readonly args: readonly ArgumentShape[];
  /** Returns its result directly. All other methods return a promise. */
  readonly isSync?: true;
  readonly crosses?: Crossing;
  /** Kinds of runs that can use it. Absent: the kinds of its part. */
  readonly kinds?: readonly CallKind[];
  /** Name by which a version must declare it. */
  readonly declaredAs?: string;
}

/** A member of `ctx`. */
export interface ContextPart {
  /** Kinds of runs that can use it. */
  readonly kinds: readonly CallKind[];
  /** Name by which a version must declare it. */
  readonly declaredAs?: string;
  /** Present if the member itself is a method. */
  readonly method?: ContextMethod;
  readonly methods?: Readonly<Record<string, ContextMethod>>;
  /** Present if the member is a value, or has parts that are values. */
  readonly value?: Crossing;
  readonly values?: Readonly<Record<string, Crossing>>;
}

const EVERYWHERE = CALL_KINDS;
const FOR_A_USER = ['function', 'skeleton', 'lifecycle'] as const;
const WORKING = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle'] as const;

/**
 * Everything in `ctx`: the kinds of runs that can use it, the name by which a version must declare
 * it, and the arguments of its methods. The declarable capabilities, the refusals of a context, the
 * context of tests, that of the host and that of the sandbox are built from this table. The types
 * in `ExtensionContext` must match it, otherwise the code does not compile. This file has no
 * imports and only plain data, because it is part of the sandbox.
 */
export const CONTEXT = {
  app: { kinds: EVERYWHERE, value: 'inside' },
  user: {
    kinds: EVERYWHERE,
    value: 'both',
    methods: {
      hasScope: { args: ['text'], isSync: true, crosses: 'sandbox' },
      hasRole: { args: ['text'], isSync: true, crosses: 'inside' },
    },
  },
  tenant: { kinds: FOR_A_USER, value: 'both' },
  store: {
    kinds: WORKING,
    declaredAs: 'store',
    methods: {
      create: { args: ['text', 'object'] },
      get: { args: ['text', 'text'] },
      query: { args: ['text', 'object?'] },
      update: { args: ['text', 'text', 'object', 'text?'] },
      updateMany: { args: ['text', 'object', 'object'] },
      delete: { args: ['text', 'text'] },
      deleteMany: { args: ['text', 'object'] },
      count: { args: ['text', 'object?'] },
      set: { args: ['text', 'object'] },
      forUser: {
        args: ['text'],
        isSync: true,
        crosses: 'both',
        kinds: ['webhook', 'schedule', 'event'],
        declaredAs: 'store.forUser',
      },
      listUsers: { args: ['text', 'object?'], kinds: ['schedule'], declaredAs: 'store.listUsers' },
      queryAll: { args: ['text', 'object?'], kinds: ['schedule'], declaredAs: 'store.queryAll' },
    },
  },
  http: {
    kinds: EVERYWHERE,
    declaredAs: 'http',
    methods: {
      get: { args: ['text', 'object?'], crosses: 'both' },
      post: { args: ['text', 'object?'], crosses: 'both' },
      put: { args: ['text', 'object?'], crosses: 'both' },
      patch: { args: ['text', 'object?'], crosses: 'both' },
      delete: { args: ['text', 'object?'], crosses: 'both' },
    },
  },
  config: {
    kinds: EVERYWHERE,
    declaredAs: 'config',
    methods: { get: { args: ['text', 'json?'] }, getSection: { args: ['text'] }, all: { args: [] } },
  },
  secrets: {
    kinds: EVERYWHERE,
    declaredAs: 'secrets',
    methods: {
      get: { args: ['text'] },
      set: { args: ['text', 'text'] },
      delete: { args: ['text'] },
      isSet: { args: ['text'] },
      list: { args: [] },
    },
  },
  cache: {
    kinds: ['function', 'skeleton', 'webhook', 'schedule', 'lifecycle'],
    declaredAs: 'cache',
    methods: {
      get: { args: ['text'] },
      set: { args: ['text', 'json', 'number?'] },
      delete: { args: ['text'] },
      getOrFetch: { args: ['text', 'function', 'number?'], crosses: 'inside' },
    },
  },
  extensions: {
    kinds: WORKING,
    methods: {
      call: { args: ['text', 'text', 'object?'], declaredAs: 'call' },
      emit: { args: ['text', 'object'], declaredAs: 'emit' },
    },
  },
  notify: {
    kinds: [...FOR_A_USER, 'schedule'],
    declaredAs: 'notify',
    methods: {
      send: { args: ['object'] },
      forUser: { args: ['text'], isSync: true, crosses: 'both', kinds: ['schedule'], declaredAs: 'notify.forUser' },
    },
  },
  ai: { kinds: FOR_A_USER, declaredAs: 'ai', methods: { complete: { args: ['text', 'object?'] } } },
  billing: {
    kinds: FOR_A_USER,
    declaredAs: 'billing',
    methods: {
      getBalance: { args: [] },
      getSubscription: { args: [] },
      checkLimits: { args: [] },
      trackUsage: { args: ['text', 'number'] },
    },
  },
  storage: {
    kinds: FOR_A_USER,
    declaredAs: 'storage',
    methods: {
      upload: { args: ['text', 'bytes', 'text'], crosses: 'both' },
      download: { args: ['text'], crosses: 'both' },
      delete: { args: ['text'] },
      list: { args: ['text?', 'text?'] },
    },
  },
  skeleton: { kinds: ['skeleton'], declaredAs: 'skeleton', methods: { get: { args: ['text'] } } },
  webhook: {
    kinds: ['webhook'],
    values: { receivedAt: 'both' },
    methods: { verify: { args: ['object'], isSync: true, crosses: 'sandbox' } },
  },
  time: { kinds: EVERYWHERE, value: 'both' },
  log: { kinds: EVERYWHERE, method: { args: ['text', 'text?'], isSync: true, crosses: 'both' } },
  webhookUrl: { kinds: EVERYWHERE, method: { args: ['text'], isSync: true, crosses: 'sandbox' } },
  asUser: { kinds: ['schedule'], declaredAs: 'asUser', method: { args: ['text'], crosses: 'both' } },
  once: { kinds: WORKING, method: { args: ['text', 'number?'] } },
  progress: { kinds: FOR_A_USER, method: { args: ['number', 'text?'] } },
  backgroundTask: { kinds: FOR_A_USER, declaredAs: 'backgroundTask', method: { args: ['text', 'object', 'object?'] } },
  deliverChatMessage: { kinds: FOR_A_USER, declaredAs: 'deliverChatMessage', method: { args: ['text', 'object?'] } },
  oauthAuthorizeUrl: { kinds: FOR_A_USER, declaredAs: 'oauthAuthorizeUrl', method: { args: ['text'] } },
} as const satisfies Readonly<Record<string, ContextPart>>;
export type ContextTable = typeof CONTEXT;
export type ContextName = keyof ContextTable;

/**
 * Methods of a part by name; none if the part is a value or a method itself. `keyof
 * MethodsOf<'user'>` is `'hasScope' | 'hasRole'`.
 */
export type MethodsOf<Name extends ContextName> = ContextTable[Name] extends { methods: infer Methods }
  ? Methods
  : unknown;

type PathsIn<Name extends ContextName> = `${Name}.${keyof MethodsOf<Name> & string}`;
/** Path of a method, such as `store.create` or `once`. */
export type MethodPath = {
  [Name in ContextName]: ContextTable[Name] extends { method: ContextMethod } ? Name : PathsIn<Name>;
}[ContextName];
/** Entry of a method in the table: `MethodAt<'once'>` is `{ args: ['text', 'number?'] }`. */
type MethodAt<Path extends MethodPath> = Path extends `${infer Name extends ContextName}.${infer Member}`
  ? MethodsOf<Name>[Member & keyof MethodsOf<Name>]
  : ContextTable[Path & ContextName] extends { method: infer Method }
    ? Method
    : never;

type ValuesIn<Name extends ContextName, Where extends Crossing> =
  | (ContextTable[Name] extends { value: Where } ? Name : never)
  | (ContextTable[Name] extends { values: infer Values }
      ? { [Key in keyof Values & string]: Values[Key] extends Where ? `${Name}.${Key}` : never }[keyof Values & string]
      : never);
/**
 * Methods and values that cross the border of the sandbox in this way: `'user.hasRole'` is a
 * `PathCrossing<'inside'>`.
 */
export type PathCrossing<Where extends Crossing> =
  | { [Path in MethodPath]: MethodAt<Path> extends { crosses: Where } ? Path : never }[MethodPath]
  | { [Name in ContextName]: ValuesIn<Name, Where> }[ContextName];

/**
 * Members of a part for which the sandbox has special code: `CustomMembers<'store'>` is
 * `'forUser'`.
 */
export type CustomMembers<Name extends ContextName> =
  | {
      [Member in keyof MethodsOf<Name> & string]: MethodsOf<Name>[Member] extends { crosses: Crossing }
        ? Member
        : never;
    }[keyof MethodsOf<Name> & string]
  | (ContextTable[Name] extends { values: infer Values } ? keyof Values & string : never);
/**
 * Members of `ctx` for which the sandbox has special code, for all or for a part: `'store'` and
 * `'time'`, not `'config'`.
 */
export type CustomName = {
  [Name in ContextName]: ContextTable[Name] extends { value: Crossing } | { method: { crosses: Crossing } }
    ? Name
    : [CustomMembers<Name>] extends [never]
      ? never
      : Name;
}[ContextName];

type DeclaredIn<Part> = Part extends { declaredAs: infer Asked } ? Asked : never;
/**
 * Names that versions must declare, such as `'store'` and `'store.forUser'`. See
 * `DECLARABLE_CAPABILITIES`.
 */
export type DeclaredCapability =
  | { [Name in ContextName]: DeclaredIn<ContextTable[Name]> }[ContextName]
  | { [Path in MethodPath]: DeclaredIn<MethodAt<Path>> }[MethodPath];

/**
 * A member of `ctx`, or a method that fewer kinds of runs can use than the rest of its part:
 * `'store'`, `'store.forUser'`, not `'store.get'`.
 */
export type Capability = { [Name in ContextName]: Name | NarrowIn<Name> }[ContextName];
type NarrowIn<Name extends ContextName> = {
  [Member in keyof MethodsOf<Name> & string]: MethodsOf<Name>[Member] extends { kinds: readonly CallKind[] }
    ? `${Name}.${Member}`
    : never;
}[keyof MethodsOf<Name> & string];
/**
 * Kinds of runs that can use it: `KindsAt<'store.forUser'>` is `['webhook', 'schedule', 'event']`.
 */
export type KindsAt<Path extends Capability> = Path extends ContextName
  ? ContextTable[Path]['kinds']
  : Path extends MethodPath
    ? MethodAt<Path> extends { kinds: infer Kinds }
      ? Kinds
      : never
    : never;
