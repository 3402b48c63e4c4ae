import {
  CONTEXT,
  type DeclaredCapability,
  type Capability,
  type ContextMethod,
  type ContextName,
  type ContextPart,
  type KindsAt,
  type MethodsOf,
} from './context-table.js';

const PARTS = Object.entries(CONTEXT) as [ContextName, ContextPart][];

/** All methods by path, in the order of the table. */
export const CONTEXT_METHODS: ReadonlyMap<string, ContextMethod> = new Map(
  PARTS.flatMap(([name, { method, methods = {} }]) => [
    ...(method ? [[name, method] as const] : []),
    ...Object.entries(methods).map(([member, one]) => [`${name}.${member}`, one] as const),
  ]),
);

/** Names of the methods of a member of `ctx`, in the order of the table; empty if it has none. */
export const methodNames = <Name extends ContextName>(name: Name): (keyof MethodsOf<Name> & string)[] =>
  Object.keys((CONTEXT[name] as ContextPart).methods ?? {}) as (keyof MethodsOf<Name> & string)[];

/** Paths in `ctx` of the capabilities that versions must declare, in the order of the table. */
export const PATHS_OF_DECLARABLE: ReadonlyMap<DeclaredCapability, string> = new Map(
  PARTS.flatMap(([name, { declaredAs, methods = {} }]) =>
    [
      [declaredAs, name] as const,
      ...Object.entries(methods).map(([member, one]) => [one.declaredAs, `${name}.${member}`] as const),
    ].flatMap(([capability, path]) =>
      capability === undefined ? [] : [[capability as DeclaredCapability, path] as const],
    ),
  ),
);

/** Kinds of runs that can use each member of the context. */
export const CAPABILITIES = Object.fromEntries(
  PARTS.flatMap(([name, { kinds, methods = {} }]) => [
    [name, kinds],
    ...Object.entries(methods).flatMap(([member, one]) => (one.kinds ? [[`${name}.${member}`, one.kinds]] : [])),
  ]),
) as { readonly [Path in Capability]: KindsAt<Path> };
