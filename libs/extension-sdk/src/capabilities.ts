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

/** Who a run is when no user stands behind it. */
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

/** What using it raises. `details` has the `capability` and the kind of `call`. */
export const capabilityUnavailable = (capability: Capability, call: CallKind) =>
  new ExtensionError('CAPABILITY_UNAVAILABLE', `ctx.${capability} is not available in ${NAMES[call]}.`, { details: { capability, call } });

/** By their paths. */
const ASKED: ReadonlyMap<string, DeclaredCapability> = new Map(
  DECLARABLE_CAPABILITIES.map((capability) => [pathOf(capability), capability]),
);

/** Where a context has what a version has to ask for. */
export const ASKED_PATHS: readonly string[] = [...ASKED.keys()];

/**
 * Whether a version may use what a context has at a path.
 *
 * @param capabilities that it asks for; null: all.
 */
export function isAskedFor(path: string, capabilities: readonly string[] | null): boolean {
  const capability = ASKED.get(path);
  return capabilities === null || capability === undefined || capabilities.includes(capability);
}

/** What using it raises in a version that does not ask for it. */
export const capabilityNotDeclared = (capability: DeclaredCapability) =>
  new ExtensionError(
    'CAPABILITY_NOT_DECLARED',
    `The app does not say that it uses ctx.${pathOf(capability)}. Where its code does not name it as such, add ${JSON.stringify(capability)} to "capabilities" of its document.`,
    { details: { capability } },
  );

/**
 * `context` with only what a run of this kind may use, and of that what the version asks for (`isAskedFor`). Reading another of `CAPABILITIES`
 * raises CAPABILITY_UNAVAILABLE or CAPABILITY_NOT_DECLARED, after telling `onDenied`, which records it; there are no members beside these.
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
    if (asked === undefined || isAskedFor(path, capabilities)) return;
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
      if (typeof member !== 'function') return isPart(name, member) ? restricted(member, `${name}.`, assertAllowed) : member;
      if (key !== 'forUser') return member.bind(target) as unknown;
      // The same part for somebody else may do no more.
      return (...parameters: unknown[]) => restricted(member.apply(target, parameters) as object, prefix, assertAllowed);
    },
  });
}

const isCapability = (name: string): name is Capability => Object.hasOwn(CAPABILITIES, name);

/** Those of which some of their own members are capabilities too. */
const PARTS: ReadonlySet<string> = new Set(
  [...Object.keys(CAPABILITIES), ...ASKED_PATHS].flatMap((name) => (name.includes('.') ? [name.slice(0, name.lastIndexOf('.'))] : [])),
);

const isPart = (name: string, member: unknown): member is object => typeof member === 'object' && member !== null && PARTS.has(name);
