import type { ArgumentShape, ContextName, ContextTable, Crossing, MethodsOf } from '@platform/app-document';
import type { ExtensionContext } from './context.js';

// Compile-time check that the table `CONTEXT` and `ExtensionContext` have the same members. If they
// differ, the last two types do not compile, and the error names the member: Type '"store.count"'
// does not satisfy the constraint 'never'. They are exported only because the compiler refuses
// unused types.

type Method = (...given: never[]) => unknown;

interface Values {
  text: string;
  number: number;
  object: object;
  json: unknown;
  bytes: Uint8Array;
  function: Method;
}

type Given<Shapes extends readonly ArgumentShape[]> = Shapes extends readonly [
  infer First,
  ...infer Rest extends readonly ArgumentShape[],
]
  ? First extends `${infer Kind extends keyof Values}?`
    ? [Values[Kind]?, ...Given<Rest>]
    : [Values[First & keyof Values], ...Given<Rest>]
  : [];

type IsSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** Never, or the path of a method whose parameters or result differ. */
type WrongMethod<Path extends string, Declared, InTable> = Declared extends (...given: infer Parameters) => infer Result
  ? InTable extends { args: infer Shapes extends readonly ArgumentShape[] }
    ? [
        Parameters extends Given<Shapes> ? true : false,
        IsSame<Parameters['length'], Given<Shapes>['length']>,
        IsSame<InTable extends { isSync: true } ? true : false, Result extends Promise<unknown> ? false : true>,
      ] extends [true, true, true]
      ? never
      : Path
    : Path
  : Path;

type MethodNames<Part> = { [Key in keyof Part & string]: Part[Key] extends Method ? Key : never }[keyof Part & string];
type ValuesInTable<Name extends ContextName, Part> = ContextTable[Name] extends { value: Crossing }
  ? Exclude<keyof Part & string, MethodNames<Part>>
  : ContextTable[Name] extends { values: infer Named }
    ? keyof Named
    : never;

/** Members of a part that only one side has. */
type WrongMembers<Name extends ContextName, Part> =
  | Exclude<keyof Part & string, keyof MethodsOf<Name> | ValuesInTable<Name, Part>>
  | Exclude<(keyof MethodsOf<Name> | ValuesInTable<Name, Part>) & string, keyof Part>;

type WrongPart<Name extends ContextName, Part> =
  | `${Name}.${WrongMembers<Name, Part>}`
  | {
      [Key in MethodNames<Part>]: WrongMethod<
        `${Name}.${Key}`,
        Part[Key],
        MethodsOf<Name>[Key & keyof MethodsOf<Name>]
      >;
    }[MethodNames<Part>];

/** Compiles only if `Left` is never. */
type Nothing<Left extends never> = Left;

export type SameMembers = [
  Nothing<Exclude<keyof ExtensionContext, ContextName>>,
  Nothing<Exclude<ContextName, keyof ExtensionContext>>,
];
export type SameInMembers = Nothing<
  {
    [Name in ContextName & keyof ExtensionContext]: ExtensionContext[Name] extends Method
      ? WrongMethod<
          Name,
          ExtensionContext[Name],
          ContextTable[Name] extends { method: infer InTable } ? InTable : never
        >
      : WrongPart<Name, ExtensionContext[Name]>;
  }[ContextName & keyof ExtensionContext]
>;
