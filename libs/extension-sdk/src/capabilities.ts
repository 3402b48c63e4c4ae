import { MEMBERS, placeOfMember, type Member } from '@platform/app-document';
import { ExtensionError } from './extension-error.js';

/** Why an extension runs. Functions include what panels, trays and menus call; schedules include signals. */
export const CALL_KINDS = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle', 'health'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** Who a run is when no user stands behind it. */
export const WEBHOOK_IDENTITY = '__webhook__';
export const SYSTEM_IDENTITY = '__system__';

const EVERYWHERE = CALL_KINDS;
const FOR_A_USER = ['function', 'skeleton', 'lifecycle'] as const;
const WORKING = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle'] as const;

/** What runs of which kind may use: members of `ctx`, and members of these that need more than the rest of them. */
export const CAPABILITIES = {
  app: EVERYWHERE,
  user: EVERYWHERE,
  config: EVERYWHERE,
  http: EVERYWHERE,
  secrets: EVERYWHERE,
  log: EVERYWHERE,
  time: EVERYWHERE,
  webhookUrl: EVERYWHERE,
  store: WORKING,
  'store.forUser': ['webhook', 'schedule', 'event'],
  'store.listUsers': ['schedule'],
  'store.queryAll': ['schedule'],
  extensions: WORKING,
  once: WORKING,
  cache: ['function', 'skeleton', 'webhook', 'schedule', 'lifecycle'],
  webhook: ['webhook'],
  notify: [...FOR_A_USER, 'schedule'],
  'notify.forUser': ['schedule'],
  asUser: ['schedule'],
  tenant: FOR_A_USER,
  ai: FOR_A_USER,
  billing: FOR_A_USER,
  storage: FOR_A_USER,
  progress: FOR_A_USER,
  backgroundTask: FOR_A_USER,
  deliverChatMessage: FOR_A_USER,
  oauthAuthorizeUrl: FOR_A_USER,
  skeleton: ['skeleton'],
} as const satisfies Record<string, readonly CallKind[]>;
export type Capability = keyof typeof CAPABILITIES;

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

/** Under which name a version asks for what a context has at a place such as `extensions.call`. */
const ASKED_AS: ReadonlyMap<string, Member> = new Map(MEMBERS.map((member) => [placeOfMember(member), member]));

/** The places of what a version has to ask for. */
export const ASKED_PLACES: readonly string[] = [...ASKED_AS.keys()];

/**
 * Whether a version may use what a context has at a place.
 *
 * @param members what it asks for, as `membersOf` names it; null: everything.
 */
export function isAskedFor(place: string, members: readonly string[] | null): boolean {
  const member = ASKED_AS.get(place);
  return members === null || member === undefined || members.includes(member);
}

const notAskedFor = (place: string) => {
  const capability = ASKED_AS.get(place) ?? place;
  return new ExtensionError(
    'CAPABILITY_NOT_DECLARED',
    `The app does not say that it uses ctx.${place}. Where its code does not name it as such, add ${JSON.stringify(capability)} to "capabilities" of its document.`,
    { details: { capability } },
  );
};

/**
 * `context` with only what a run of this kind may use, and of that what the version asks for (`isAskedFor`). Reading another member of
 * `CAPABILITIES` raises CAPABILITY_UNAVAILABLE or CAPABILITY_NOT_DECLARED, after telling `onDenied`, which records it; there are no members
 * beside these.
 */
export const restrict = <Context extends object>(
  context: Context,
  { kind, members }: { kind: CallKind; members: readonly string[] | null },
  onDenied: (place: string) => void,
): Context =>
  restricted(context, '', (place) => {
    const isThere = !isCapability(place) || isAvailable(place, kind);
    if (isThere && isAskedFor(place, members)) return;
    onDenied(place);
    throw isThere ? notAskedFor(place) : capabilityUnavailable(place, kind);
  });

function restricted<Part extends object>(part: Part, prefix: string, assertAllowed: (place: string) => void): Part {
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
  [...Object.keys(CAPABILITIES), ...ASKED_PLACES].flatMap((name) => (name.includes('.') ? [name.slice(0, name.lastIndexOf('.'))] : [])),
);

const isPart = (name: string, member: unknown): member is object => typeof member === 'object' && member !== null && PARTS.has(name);
