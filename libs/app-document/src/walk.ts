import type { App, Implementation, Step } from './document.js';

/** All steps at every depth, in the order of the document. */
export function* everyStep(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    if (step.kind !== 'control' || step.action !== 'if') continue;
    for (const branch of [step.params['then'], step.params['else']]) {
      if (Array.isArray(branch)) yield* everyStep(branch as unknown as Step[]);
    }
  }
}

/** All steps of all functions and handlers. */
export function everyStepOf({ functions, webhooks, schedules, events, skeleton }: Pick<App, Handlers>): Step[] {
  const impls = [...functions, ...webhooks, ...schedules, ...events.subscribes].map(({ impl }) => impl);
  return [...impls, ...skeleton.map(({ producer }) => producer)].flatMap(stepsOf);
}
type Handlers = 'functions' | 'webhooks' | 'schedules' | 'events' | 'skeleton';

const stepsOf = (impl: Implementation): Step[] => (impl.kind === 'declarative' ? [...everyStep(impl.steps)] : []);
