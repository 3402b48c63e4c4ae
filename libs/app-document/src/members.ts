import type { App, StepKind } from './document.js';
import { everyStepOf } from './walk.js';

/**
 * What of its context (`ctx`) a version has to ask for, by the names that `capabilities` of a document has: members, and those of their own
 * members that reach further. `call` and `emit` are those of `ctx.extensions`. All else is there for every version.
 */
export const MEMBERS = [
  'store',
  'store.forUser',
  'store.listUsers',
  'store.queryAll',
  'http',
  'config',
  'secrets',
  'cache',
  'call',
  'emit',
  'notify',
  'notify.forUser',
  'ai',
  'billing',
  'storage',
  'skeleton',
  'asUser',
  'backgroundTask',
  'deliverChatMessage',
  'oauthAuthorizeUrl',
] as const;
export type Member = (typeof MEMBERS)[number];

/** How `ctx` has it. */
export const placeOfMember = (member: Member): string => (member === 'call' || member === 'emit' ? `extensions.${member}` : member);

const OF_STEPS: { readonly [Kind in StepKind]?: Member } = {
  store: 'store',
  cache: 'cache',
  config: 'config',
  secret: 'secrets',
  http: 'http',
  call: 'call',
  ai: 'ai',
  notify: 'notify',
  emit: 'emit',
};

const NAMES = [...new Set(MEMBERS.flatMap((member) => placeOfMember(member).split('.')))].join('|');
/** A name behind a dot, as a whole text, or as a key between others: `ctx.http`, `ctx['http']`, `({ http: other }) =>`. */
const NAME_IN_CODE = new RegExp(`\\.\\s*(${NAMES})\\b|(["'\`])(${NAMES})\\2|[{,]\\s*(${NAMES})(?=\\s*[,:}=])`, 'g');

/**
 * What of its context an app asks for, in the order of `MEMBERS`: what its steps use, what stands in its code by its name, and what it declares among
 * its `capabilities`. What code puts together at run time it has to declare.
 */
export function membersOf(app: Pick<App, 'capabilities' | 'modules'> & Parameters<typeof everyStepOf>[0]): Member[] {
  const ofSteps = new Set(everyStepOf(app).map(({ kind }) => OF_STEPS[kind]));
  const declared = new Set(app.capabilities);
  const named = namesInCode(app);
  const isAsked = (member: Member): boolean => {
    if (ofSteps.has(member) || declared.has(member)) return true;
    const [part = '', own] = placeOfMember(member).split('.');
    // Who declares a member of a part has the part.
    if (own === undefined) return named.has(part) || [...declared].some((one) => one.startsWith(`${part}.`) && isMember(one));
    return named.has(own) && (named.has(part) || declared.has(part));
  };
  return MEMBERS.filter(isAsked);
}

const isMember = (name: string): name is Member => (MEMBERS as readonly string[]).includes(name);

function namesInCode({ modules = {} }: Pick<App, 'modules'>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { source } of Object.values(modules)) {
    for (const [, behindDot, , text, key] of source.matchAll(NAME_IN_CODE)) names.add(behindDot ?? text ?? key ?? '');
  }
  return names;
}
