import { PATHS_OF_DECLARABLE } from './context-paths.js';
import type { DeclaredCapability } from './context-table.js';
import type { App, StepKind } from './document.js';
import { everyStepOf } from './walk.js';

/**
 * The capabilities that a version has to ask for, in the order of `CONTEXT`. A capability is something that a context (`ctx`) has, by the name that it has in
 * the `capabilities` of a document; where the context has it is its path. Both are the same, but for `call` and `emit`, which are at `extensions.call` and
 * `extensions.emit`. All else that a context has is there for every version.
 */
export const DECLARABLE_CAPABILITIES: readonly DeclaredCapability[] = [...PATHS_OF_DECLARABLE.keys()];

/** Where `ctx` has it. */
export const pathOf = (capability: DeclaredCapability): string => PATHS_OF_DECLARABLE.get(capability) ?? capability;

const OF_STEPS: { readonly [Kind in StepKind]?: DeclaredCapability } = {
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

const NAMES = [...new Set(DECLARABLE_CAPABILITIES.flatMap((capability) => pathOf(capability).split('.')))].join('|');
/** A name behind a dot, as a whole text, or as a key between others: `ctx.http`, `ctx['http']`, `({ http: other }) =>`. */
const NAME_IN_CODE = new RegExp(`\\.\\s*(${NAMES})\\b|(["'\`])(${NAMES})\\2|[{,]\\s*(${NAMES})(?=\\s*[,:}=])`, 'g');

/**
 * The capabilities that an app asks for, in the order of `DECLARABLE_CAPABILITIES`: what its steps use, what the platform does for it as the document
 * says, what stands in its code by its name, and what it declares among its `capabilities`. What code puts together at run time it has to declare.
 */
export function capabilitiesOf(app: Pick<App, 'capabilities' | 'modules'> & Parameters<typeof everyStepOf>[0]): DeclaredCapability[] {
  const used = new Set([...everyStepOf(app).map(({ kind }) => OF_STEPS[kind]), ...doneFor(app)]);
  const declared = new Set(app.capabilities);
  const named = namesInCode(app);
  const isAsked = (capability: DeclaredCapability): boolean => {
    if (used.has(capability) || declared.has(capability)) return true;
    const [part = '', own] = pathOf(capability).split('.');
    // Who declares what is in a part has the part.
    if (own === undefined) return named.has(part) || [...declared].some((one) => one.startsWith(`${part}.`) && isCapability(one));
    return named.has(own) && (named.has(part) || declared.has(part));
  };
  return DECLARABLE_CAPABILITIES.filter(isAsked);
}

/** Of a function its event is published, and a schedule runs as each user, without the context of a run. */
function* doneFor({ functions, schedules }: Pick<App, 'functions' | 'schedules'>): Generator<DeclaredCapability> {
  if (functions.some(({ event }) => event)) yield 'emit';
  if (schedules.some(({ for_each_user: collection }) => collection)) yield 'asUser';
}

const isCapability = (name: string): name is DeclaredCapability => (DECLARABLE_CAPABILITIES as readonly string[]).includes(name);

function namesInCode({ modules = {} }: Pick<App, 'modules'>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { source } of Object.values(modules)) {
    for (const [, behindDot, , text, key] of source.matchAll(NAME_IN_CODE)) names.add(behindDot ?? text ?? key ?? '');
  }
  return names;
}
