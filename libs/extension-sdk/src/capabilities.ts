import {
  DECLARABLE_CAPABILITIES,
  CALL_KINDS,
  CAPABILITIES,
  pathOf,
  type DeclaredCapability,
  type CallKind,
  type Capability,
} from '@platform/app-document';
import { ExtensionError } from './extension-error.js';

export { CALL_KINDS, CAPABILITIES, type CallKind, type Capability };

/** Identities of runs that have no user. */
export const WEBHOOK_IDENTITY = '__webhook__';
export const SYSTEM_IDENTITY = '__system__';

export const isAvailable = (capability: Capability, kind: CallKind): boolean =>
  (CAPABILITIES[capability] as readonly CallKind[]).includes(kind);

const NAMES: Record<CallKind, string> = {
  function: 'a function',
  skeleton: 'a skeleton producer',
  webhook: 'a webhook',
  schedule: 'a schedule',
  event: 'an event handler',
  lifecycle: 'a lifecycle handler',
  health: 'a health check',
};

/**
 * Creates the error for using a member of the context (such as `ctx.cache`) that this kind of
 * handler does not have. `details` has the `capability` and the kind of `call`.
 */
export const capabilityUnavailable = (capability: Capability, call: CallKind) =>
  new ExtensionError('CAPABILITY_UNAVAILABLE', `ctx.${capability} is not available in ${NAMES[call]}.`, {
    details: { capability, call },
  });

/** Declarable capabilities by their path in the context. */
const ASKED: ReadonlyMap<string, DeclaredCapability> = new Map(
  DECLARABLE_CAPABILITIES.map((capability) => [pathOf(capability), capability]),
);

/** Paths in the context that a version can use only if it declares their capability. */
export const DECLARABLE_PATHS: readonly string[] = [...ASKED.keys()];

/**
 * True if the version can use the member of the context at this path: it needs no declaration, or
 * is declared.
 *
 * @param capabilities the declared capabilities; null: all.
 */
export function isPathAllowed(path: string, capabilities: readonly string[] | null): boolean {
  const capability = ASKED.get(path);
  return capabilities === null || capability === undefined || capabilities.includes(capability);
}

/**
 * Creates the error for using a member of the context whose capability the version does not
 * declare.
 */
export const capabilityNotDeclared = (capability: DeclaredCapability) =>
  new ExtensionError(
    'CAPABILITY_NOT_DECLARED',
    `The app does not declare that it uses ctx.${pathOf(capability)}. Add ${JSON.stringify(capability)} to "capabilities" of its document.`,
    { details: { capability } },
  );

/**
 * Returns the context, limited to the members that the kind of handler has and the version declares
 * (`isPathAllowed`). Reading another member of `CAPABILITIES` calls `onDenied`, which records it,
 * and then throws ExtensionError CAPABILITY_UNAVAILABLE or CAPABILITY_NOT_DECLARED. Members outside
 * of `CAPABILITIES` are undefined.
 */
export const restrict = <Context extends object>(
  context: Context,
  { kind, capabilities }: { kind: CallKind; capabilities: readonly string[] | null },
  onDenied: (capability: string) => void,
): Context =>
  restricted(context, '', (path) => {
    if (isCapability(path) && !isAvailable(path, kind)) {
      onDenied(path);
      throw capabilityUnavailable(path, kind);
    }
    const asked = ASKED.get(path);
    if (asked === undefined || isPathAllowed(path, capabilities)) return;
    onDenied(asked);
    throw capabilityNotDeclared(asked);
  });

function restricted<Part extends object>(part: Part, prefix: string, assertAllowed: (path: string) => void): Part {
  return new Proxy(part, {
    get(target, key) {
      const name = `${prefix}${String(key)}`;
      if (!prefix && !isCapability(name)) return undefined;
      assertAllowed(name);
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function')
        return isPart(name, member) ? restricted(member, `${name}.`, assertAllowed) : member;
      if (key !== 'forUser') return member.bind(target) as unknown;
      // The part for another user has the same limits.
      return (...parameters: unknown[]) =>
        restricted(member.apply(target, parameters) as object, prefix, assertAllowed);
    },
  });
}

const isCapability = (name: string): name is Capability => Object.hasOwn(CAPABILITIES, name);

/** Members of the context with members that are capabilities themselves. */
const PARTS: ReadonlySet<string> = new Set(
  [...Object.keys(CAPABILITIES), ...DECLARABLE_PATHS].flatMap((name) =>
    name.includes('.') ? [name.slice(0, name.lastIndexOf('.'))] : [],
  ),
);

const isPart = (name: string, member: unknown): member is object =>
  typeof member === 'object' && member !== null && PARTS.has(name);
