import { PATHS_OF_DECLARABLE } from './context-paths.js';
import type { DeclaredCapability } from './context-table.js';
import type { App, StepKind } from './document.js';
import { everyStepOf } from './walk.js';

/**
 * Capabilities that a version must request, in the order of `CONTEXT`. A capability is a member of
 * the context (`ctx`), named as in the `capabilities` of a document. This name is also its path in
 * `ctx`, except for `call` and `emit`, which are at `extensions.call` and `extensions.emit`. All
 * other members of the context need no request.
 */
export const DECLARABLE_CAPABILITIES: readonly DeclaredCapability[] = [...PATHS_OF_DECLARABLE.keys()];

/** Path of a capability in `ctx`, such as `extensions.call` for `call`. */
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
/**
 * A name after a dot, as a whole string, or as a key: `ctx.http`, `ctx['http']`, `({ http: other })
 * =>`.
 */
const NAME_IN_CODE = new RegExp(`\\.\\s*(${NAMES})\\b|(["'\`])(${NAMES})\\2|[{,]\\s*(${NAMES})(?=\\s*[,:}=])`, 'g');

/**
 * Capabilities that an app requests, in the order of `DECLARABLE_CAPABILITIES`: those that its
 * steps use, those that its declarations need, those whose names are in its code, and those that it
 * declares in `capabilities`. Code that computes such a name at run time must declare the
 * capability.
 */
export function capabilitiesOf(
  app: Pick<App, 'capabilities' | 'modules'> & Parameters<typeof everyStepOf>[0],
): DeclaredCapability[] {
  const used = new Set([...everyStepOf(app).map(({ kind }) => OF_STEPS[kind]), ...doneFor(app)]);
  const declared = new Set(app.capabilities);
  const named = namesInCode(app);
  const isAsked = (capability: DeclaredCapability): boolean => {
    if (used.has(capability) || declared.has(capability)) return true;
    const [part = '', own] = pathOf(capability).split('.');
    // Declaring a method of a part also gives the part.
    if (own === undefined)
      return named.has(part) || [...declared].some((one) => one.startsWith(`${part}.`) && isCapability(one));
    return named.has(own) && (named.has(part) || declared.has(part));
  };
  return DECLARABLE_CAPABILITIES.filter(isAsked);
}

/**
 * Capabilities that the platform uses for the app without the context of a run: to publish the
 * event of a function, and to run a schedule for each user.
 */
function* doneFor({ functions, schedules }: Pick<App, 'functions' | 'schedules'>): Generator<DeclaredCapability> {
  if (functions.some(({ event }) => event)) yield 'emit';
  if (schedules.some(({ for_each_user: collection }) => collection)) yield 'asUser';
}

const isCapability = (name: string): name is DeclaredCapability =>
  (DECLARABLE_CAPABILITIES as readonly string[]).includes(name);

function namesInCode({ modules = {} }: Pick<App, 'modules'>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { source } of Object.values(modules)) {
    for (const [, behindDot, , text, key] of source.matchAll(NAME_IN_CODE)) names.add(behindDot ?? text ?? key ?? '');
  }
  return names;
}
