/** Why an extension runs. Functions include what panels, trays and menus call; schedules include signals. */
export const CALL_KINDS = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle', 'health'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

type Argument = 'text' | 'number' | 'object' | 'json' | 'bytes' | 'function';
/** `?`: may be left out. */
export type ArgumentShape = Argument | `${Argument}?`;

/**
 * How a member passes between sandbox and host. Without `crosses`, arguments and result are JSON, the result is a promise, and no code is needed. The others
 * are custom. `inside`: code in the sandbox only; the host is not asked. `sandbox`: code in the sandbox, an ordinary call in the host. `both`: code on both
 * sides.
 */
export type Crossing = 'inside' | 'sandbox' | 'both';

export interface ContextMethod {
  /** What it takes; more is dropped. */
  readonly args: readonly ArgumentShape[];
  /** Answers at once; all others answer a promise. */
  readonly isSync?: true;
  readonly crosses?: Crossing;
  /** Where only these of the kinds of its part may use it. */
  readonly kinds?: readonly CallKind[];
  /** A version has to ask for it by this name. */
  readonly asked?: string;
}

/** A member of `ctx`. */
export interface ContextPart {
  /** The runs that may use it. */
  readonly kinds: readonly CallKind[];
  /** A version has to ask for it by this name. */
  readonly asked?: string;
  /** The member is a method itself. */
  readonly method?: ContextMethod;
  readonly methods?: Readonly<Record<string, ContextMethod>>;
  /** The member, or what of it is no method, is a value. */
  readonly value?: Crossing;
  readonly values?: Readonly<Record<string, Crossing>>;
}

const EVERYWHERE = CALL_KINDS;
const FOR_A_USER = ['function', 'skeleton', 'lifecycle'] as const;
const WORKING = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle'] as const;

/**
 * All that `ctx` has: who may use it, whether a version has to ask for it, and what its methods take. What a version may ask for, what a context refuses, the
 * context of tests, the host's and that of the sandbox are made by this table. `ExtensionContext` says it in types; where the two differ, nothing compiles.
 * This file has no imports and only plain data, since it is a part of the sandbox.
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
    asked: 'store',
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
      forUser: { args: ['text'], isSync: true, crosses: 'both', kinds: ['webhook', 'schedule', 'event'], asked: 'store.forUser' },
      listUsers: { args: ['text', 'object?'], kinds: ['schedule'], asked: 'store.listUsers' },
      queryAll: { args: ['text', 'object?'], kinds: ['schedule'], asked: 'store.queryAll' },
    },
  },
  http: {
    kinds: EVERYWHERE,
    asked: 'http',
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
    asked: 'config',
    methods: { get: { args: ['text', 'json?'] }, getSection: { args: ['text'] }, all: { args: [] } },
  },
  secrets: {
    kinds: EVERYWHERE,
    asked: 'secrets',
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
    asked: 'cache',
    methods: {
      get: { args: ['text'] },
      set: { args: ['text', 'json', 'number?'] },
      delete: { args: ['text'] },
      getOrFetch: { args: ['text', 'function', 'number?'], crosses: 'inside' },
    },
  },
  extensions: {
    kinds: WORKING,
    methods: { call: { args: ['text', 'text', 'object?'], asked: 'call' }, emit: { args: ['text', 'object'], asked: 'emit' } },
  },
  notify: {
    kinds: [...FOR_A_USER, 'schedule'],
    asked: 'notify',
    methods: {
      send: { args: ['object'] },
      forUser: { args: ['text'], isSync: true, crosses: 'both', kinds: ['schedule'], asked: 'notify.forUser' },
    },
  },
  ai: { kinds: FOR_A_USER, asked: 'ai', methods: { complete: { args: ['text', 'object?'] } } },
  billing: {
    kinds: FOR_A_USER,
    asked: 'billing',
    methods: {
      getBalance: { args: [] },
      getSubscription: { args: [] },
      checkLimits: { args: [] },
      trackUsage: { args: ['text', 'number'] },
    },
  },
  storage: {
    kinds: FOR_A_USER,
    asked: 'storage',
    methods: {
      upload: { args: ['text', 'bytes', 'text'], crosses: 'both' },
      download: { args: ['text'], crosses: 'both' },
      delete: { args: ['text'] },
      list: { args: ['text?', 'text?'] },
    },
  },
  skeleton: { kinds: ['skeleton'], asked: 'skeleton', methods: { get: { args: ['text'] } } },
  webhook: {
    kinds: ['webhook'],
    values: { receivedAt: 'both' },
    methods: { verify: { args: ['object'], isSync: true, crosses: 'sandbox' } },
  },
  time: { kinds: EVERYWHERE, value: 'both' },
  log: { kinds: EVERYWHERE, method: { args: ['text', 'text?'], isSync: true, crosses: 'both' } },
  webhookUrl: { kinds: EVERYWHERE, method: { args: ['text'], isSync: true, crosses: 'sandbox' } },
  asUser: { kinds: ['schedule'], asked: 'asUser', method: { args: ['text'], crosses: 'both' } },
  once: { kinds: WORKING, method: { args: ['text', 'number?'] } },
  progress: { kinds: FOR_A_USER, method: { args: ['number', 'text?'] } },
  backgroundTask: { kinds: FOR_A_USER, asked: 'backgroundTask', method: { args: ['text', 'object', 'object?'] } },
  deliverChatMessage: { kinds: FOR_A_USER, asked: 'deliverChatMessage', method: { args: ['text', 'object?'] } },
  oauthAuthorizeUrl: { kinds: FOR_A_USER, asked: 'oauthAuthorizeUrl', method: { args: ['text'] } },
} as const satisfies Readonly<Record<string, ContextPart>>;
export type ContextTable = typeof CONTEXT;
export type ContextName = keyof ContextTable;

/** The methods of a part by their names; none of a part that is a value or a method itself. */
export type MethodsOf<Name extends ContextName> = ContextTable[Name] extends { methods: infer Methods } ? Methods : unknown;

type PathsIn<Name extends ContextName> = `${Name}.${keyof MethodsOf<Name> & string}`;
/** Of every method, such as `store.create` or `once`. */
export type MethodPath = {
  [Name in ContextName]: ContextTable[Name] extends { method: ContextMethod } ? Name : PathsIn<Name>;
}[ContextName];
/** What the table says of a method. */
export type MethodAt<Path extends MethodPath> = Path extends `${infer Name extends ContextName}.${infer Member}`
  ? MethodsOf<Name>[Member & keyof MethodsOf<Name>]
  : ContextTable[Path & ContextName] extends { method: infer Method }
    ? Method
    : never;

type ValuesIn<Name extends ContextName, Where extends Crossing> =
  | (ContextTable[Name] extends { value: Where } ? Name : never)
  | (ContextTable[Name] extends { values: infer Values }
      ? { [Key in keyof Values & string]: Values[Key] extends Where ? `${Name}.${Key}` : never }[keyof Values & string]
      : never);
/** Methods and values that cross the border of the sandbox in such a way. */
export type PathCrossing<Where extends Crossing> =
  | { [Path in MethodPath]: MethodAt<Path> extends { crosses: Where } ? Path : never }[MethodPath]
  | { [Name in ContextName]: ValuesIn<Name, Where> }[ContextName];

/** Of a part what the sandbox writes by hand. */
export type MembersByHand<Name extends ContextName> =
  | {
      [Member in keyof MethodsOf<Name> & string]: MethodsOf<Name>[Member] extends { crosses: Crossing } ? Member : never;
    }[keyof MethodsOf<Name> & string]
  | (ContextTable[Name] extends { values: infer Values } ? keyof Values & string : never);
/** Members of `ctx` of which the sandbox writes something by hand. */
export type NameByHand = {
  [Name in ContextName]: ContextTable[Name] extends { value: Crossing } | { method: { crosses: Crossing } }
    ? Name
    : [MembersByHand<Name>] extends [never]
      ? never
      : Name;
}[ContextName];

type AskedIn<Part> = Part extends { asked: infer Asked } ? Asked : never;
/** What versions have to ask for. See `ASKED_CAPABILITIES`. */
export type AskedCapability =
  { [Name in ContextName]: AskedIn<ContextTable[Name]> }[ContextName] | { [Path in MethodPath]: AskedIn<MethodAt<Path>> }[MethodPath];

/** A member of `ctx`, or a method of one that fewer kinds of runs may use than the rest of it. */
export type Capability = { [Name in ContextName]: Name | NarrowIn<Name> }[ContextName];
type NarrowIn<Name extends ContextName> = {
  [Member in keyof MethodsOf<Name> & string]: MethodsOf<Name>[Member] extends { kinds: readonly CallKind[] } ? `${Name}.${Member}` : never;
}[keyof MethodsOf<Name> & string];
/** The kinds of runs that may use it. */
export type KindsAt<Path extends Capability> = Path extends ContextName
  ? ContextTable[Path]['kinds']
  : Path extends MethodPath
    ? MethodAt<Path> extends { kinds: infer Kinds }
      ? Kinds
      : never
    : never;
