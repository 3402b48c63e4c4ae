import {
  everyStep,
  type Condition,
  type IfParams,
  type JsonObject,
  type JsonValue,
  type Step,
} from '@platform/app-document';
import type { Action, Actions } from './actions/action.js';
import { controlActions } from './actions/control.js';
import { cryptoActions } from './actions/crypto.js';
import { call, emit, serviceActions } from './actions/services.js';
import { storeActions } from './actions/store.js';
import { filter, map, transformActions } from './actions/transform.js';
import { uiActions } from './actions/ui.js';
import { compileCondition, type Test } from './conditions.js';
import { textOf } from './values/json-values.js';
import { Params } from './values/params.js';
import type { StepRun } from './step-run.js';
import { compileObject, compileValue, type Slots } from './templates.js';

const ACTIONS: Actions = {
  ...storeActions,
  ...serviceActions,
  ...cryptoActions,
  ...transformActions,
  ...uiActions,
  ...controlActions,
};

export interface Answer {
  data: JsonValue;
  /** Undefined: the same as without `return`. */
  summary: string | undefined;
  ui: JsonObject | undefined;
}

/** A step, with the steps that follow it. */
export interface Instruction {
  readonly id: string;
  readonly kind: string;
  readonly action: string;
  /** Index of its result in `StepRun.results`. */
  readonly slot: number;
  /** Computes the result; null for a step that only controls the flow. */
  readonly work: ((run: StepRun) => JsonValue | Promise<JsonValue>) | null;
  /** Null if there is no condition: the run continues with `next`. */
  readonly test: Test | null;
  /** Null: the run ends. */
  next: Instruction | null;
  /** Next step if the test fails. */
  otherwise: Instruction | null;
}

/** Compiled steps of one handler. */
export interface Program {
  readonly first: Instruction | null;
  /** Ids of the steps, by slot. */
  readonly ids: readonly string[];
  /** Number of steps that a run may do. */
  readonly budget: number;
}

export function compileSteps(steps: readonly Step[]): Program {
  const all = [...everyStep(steps)];
  const slots = new Map(all.map(({ id }, slot) => [id, slot]));
  const instructions = new Map(all.map((step) => [step.id, compileStep(step, slots)]));
  const first = link(steps, null, instructions);
  return { first, ids: [...slots.keys()], budget: Math.max(64, 8 * all.length) };
}

/**
 * Links a list of steps, and the lists inside them: sets in each instruction which one follows. The
 * last one continues with `after`; null ends the run. Returns the first step, or `after` if the
 * list is empty.
 */
function link(
  steps: readonly Step[],
  after: Instruction | null,
  instructions: ReadonlyMap<string, Instruction>,
): Instruction | null {
  const place = (id: string | undefined): Instruction | null =>
    id === undefined ? after : (instructions.get(id) ?? null);
  for (const [at, { id, kind, action, params }] of steps.entries()) {
    const instruction = instructions.get(id);
    if (!instruction) continue;
    const next = place(steps[at + 1]?.id);
    const branch = (to: IfParams['then']): Instruction | null =>
      Array.isArray(to) ? link(to, next, instructions) : to === null ? null : place(to);
    if (kind !== 'control') instruction.next = next;
    else if (action === 'goto') instruction.next = place(textOf(params['to']));
    else if (action === 'if') {
      const { then, else: otherwise } = params as unknown as IfParams;
      [instruction.next, instruction.otherwise] = [branch(then), branch(otherwise)];
    }
  }
  return place(steps[0]?.id);
}

function compileStep({ id, kind, action, params }: Step, slots: Slots): Instruction {
  const isIf = kind === 'control' && action === 'if';
  return {
    id,
    kind,
    action,
    slot: slots.get(id) ?? -1,
    work: isIf || (kind === 'control' && action === 'goto') ? null : compileWork({ id, kind, action, params }, slots),
    test: isIf ? compileCondition((params as unknown as IfParams).if, slots) : null,
    next: null,
    otherwise: null,
  };
}

function compileWork(step: Step, slots: Slots): Instruction['work'] {
  const { perform, given } = performer(step, slots);
  const resolve = compileObject(given, slots);
  return (run) => perform(run, new Params(resolve(run)));
}

/**
 * Action of a step, and the params to fill in before it. Params that are computed for each item of
 * a list are not among `given`.
 */
function performer({ kind, action, params }: Step, slots: Slots): { perform: Action; given: JsonObject } {
  if (kind === 'call') return { perform: call(action), given: params };
  if (kind === 'emit') return { perform: emit(action), given: params };
  if (kind === 'transform' && action === 'map') {
    const { to = null, ...given } = params;
    return { perform: map(compileValue(to, slots)), given };
  }
  if (kind === 'transform' && action === 'filter') {
    const { if: condition, ...given } = params;
    return { perform: filter(compileCondition(condition as unknown as Condition, slots)), given };
  }
  const perform = ACTIONS[`${kind}.${action}`];
  if (!perform) throw new Error(`No action ${kind}.${action}`);
  return { perform, given: params };
}
