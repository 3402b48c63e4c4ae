import { everyStep, type Condition, type IfParams, type JsonObject, type JsonValue, type Step } from '@platform/app-document';
import type { Action, Actions } from './actions/action.js';
import { cryptoActions } from './actions/crypto.js';
import { call, emit, serviceActions } from './actions/services.js';
import { storeActions } from './actions/store.js';
import { filter, map, transformActions } from './actions/transform.js';
import { uiActions } from './actions/ui.js';
import { compileCondition } from './conditions.js';
import { isNothing, textOf } from './json-values.js';
import { Params, textMap } from './params.js';
import type { StepRun } from './step-run.js';
import { AppFailure } from './steps.errors.js';
import { compileObject, compileValue, type Slots } from './templates.js';

const ACTIONS: Actions = { ...storeActions, ...serviceActions, ...cryptoActions, ...transformActions, ...uiActions };

/** What became of a step. */
export interface Move {
  result: JsonValue;
  /** Null: the run ends. */
  next: Instruction | null;
  /** Of `control.return`. */
  answer?: Answer;
}

export interface Answer {
  data: JsonValue;
  /** Undefined: as if there was no `return`. */
  summary: string | undefined;
  ui: JsonObject | undefined;
}

/** A step, with what comes behind it. */
export interface Instruction {
  readonly id: string;
  readonly kind: string;
  readonly action: string;
  /** Of its result in a run. */
  readonly slot: number;
  execute(run: StepRun): Move | Promise<Move>;
}

/** The steps of one handler. */
export interface Program {
  readonly first: Instruction | null;
  /** By their slots. */
  readonly ids: readonly string[];
  /** How many steps a run may do. */
  readonly budget: number;
}

export function compileSteps(steps: readonly Step[]): Program {
  const ids = [...everyStep(steps)].map(({ id }) => id);
  const compiler = new Compiler(new Map(ids.map((id, slot) => [id, slot])));
  return { first: compiler.list(steps, () => null), ids, budget: Math.max(64, 8 * ids.length) };
}

/** Where a run goes on; what lies behind is not compiled yet when it is asked for. */
type Place = () => Instruction | null;

class Compiler {
  private readonly instructions = new Map<string, Instruction>();

  constructor(private readonly slots: Slots) {}

  list(steps: readonly Step[], after: Place): Instruction | null {
    const compiled = steps.map((step, at) => {
      const following = steps[at + 1];
      return this.step(step, following ? this.place(following.id) : after);
    });
    return compiled[0] ?? after();
  }

  private place(id: string): Place {
    return () => this.instructions.get(id) ?? null;
  }

  private step(step: Step, next: Place): Instruction {
    const { id, kind, action } = step;
    const execute = kind === 'control' ? this.control(step, next) : this.action(step, next);
    const instruction = { id, kind, action, slot: this.slots.get(id) ?? -1, execute };
    this.instructions.set(id, instruction);
    return instruction;
  }

  private action({ kind, action, params }: Step, next: Place): Instruction['execute'] {
    const { perform, given } = this.performer(kind, action, params);
    const resolve = compileObject(given, this.slots);
    return (run) => {
      const result = perform(run, new Params(resolve(run)));
      return result instanceof Promise ? result.then((value) => ({ result: value, next: next() })) : { result, next: next() };
    };
  }

  /** `given` are the params to fill in before; what is made for each item is not among them. */
  private performer(kind: Step['kind'], action: string, params: JsonObject): { perform: Action; given: JsonObject } {
    if (kind === 'call') return { perform: call(action), given: params };
    if (kind === 'emit') return { perform: emit(action), given: params };
    if (kind === 'transform' && action === 'map') {
      const { to = null, ...given } = params;
      return { perform: map(compileValue(to, this.slots)), given };
    }
    if (kind === 'transform' && action === 'filter') {
      const { if: condition, ...given } = params;
      return { perform: filter(compileCondition(condition as unknown as Condition, this.slots)), given };
    }
    const perform = ACTIONS[`${kind}.${action}`];
    if (!perform) throw new Error(`No action ${kind}.${action}`);
    return { perform, given: params };
  }

  private control({ action, params }: Step, next: Place): Instruction['execute'] {
    switch (action) {
      case 'if':
        return this.branches(params as unknown as IfParams, next);
      case 'goto': {
        const to = this.place(textOf(params['to']));
        return () => jump(to());
      }
      case 'return': {
        const resolve = compileObject(params, this.slots);
        return (run) => {
          const answer = answerOf(run, new Params(resolve(run)));
          return { result: answer.data, next: null, answer };
        };
      }
      case 'fail': {
        const resolve = compileObject(params, this.slots);
        return (run) => {
          const failure = new Params(resolve(run));
          const code = failure.optionalText('code') ?? 'STEP_FAILED';
          throw new AppFailure(CODE.test(code) ? code : 'STEP_FAILED', failure.text('error') || 'The app failed.', {
            retryable: failure.flag('retryable'),
          });
        };
      }
      default:
        throw new Error(`No action control.${action}`);
    }
  }

  private branches({ if: condition, then, else: otherwise }: IfParams, next: Place): Instruction['execute'] {
    const test = compileCondition(condition, this.slots);
    const [whenTrue, whenFalse] = [this.branch(then, next), this.branch(otherwise, next)];
    return (run) => jump(test(run) ? whenTrue() : whenFalse());
  }

  private branch(branch: IfParams['then'], next: Place): Place {
    if (branch === null) return () => null;
    if (typeof branch === 'string') return this.place(branch);
    this.list(branch, next);
    const [first] = branch;
    return first ? this.place(first.id) : next;
  }
}

const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

const jump = (next: Instruction | null): Move => ({ result: { next: next?.id ?? null }, next });

/** The parts of an HTTP response count in webhooks only. */
function answerOf({ kind }: StepRun, params: Params): Answer {
  const answer = { summary: params.optionalText('summary'), ui: params.optionalObject('ui') };
  const isResponse = kind === 'webhook' && ['status_code', 'headers', 'body'].some((name) => params.has(name));
  if (!isResponse) return { ...answer, data: params.any('data') };
  const response: JsonObject = {};
  if (!isNothing(params.any('status_code'))) response['status_code'] = params.optionalNumber('status_code') ?? 200;
  if (params.has('headers')) response['headers'] = textMap('headers', params.optionalObject('headers'));
  if (params.has('body') || params.has('data')) response['body'] = params.any(params.has('body') ? 'body' : 'data');
  return { ...answer, data: response };
}
