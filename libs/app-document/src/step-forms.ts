import { DECLARATION_KINDS, STEP_KINDS, type JsonObject, type Step, type StepKind } from './document.js';
import { quote, within, type IssueList } from './issues.js';
import { textOf } from './json.js';
import { checkOf, type Check } from './schema/check.js';
import { conditionalShape, opShape, stepShape } from './schema/forms.js';
import { actionsOf, CALL, EMIT, operations, SHORT_OPS } from './schema/operations.js';

/** A step in its canonical form, except its inner lists of steps. */
export interface ReadStep {
  step: Step;
  /** Pointer to the sent params. */
  params: string;
  /** Pointer to the sent name of the function, event or action. */
  target: string;
}

const checkStepShape = checkOf(stepShape);
const checkOpShape = checkOf(opShape);
const checkConditionalShape = checkOf(conditionalShape);
const NAMED = {
  call: { action: checkOf(CALL.action), params: checkOf(CALL.params), args: checkOf(CALL.args) },
  emit: { action: checkOf(EMIT.action), params: checkOf(EMIT.params), args: checkOf(EMIT.args) },
};
const CHECKS = new Map<string, Check>(
  operations.map(({ kind, action, params }) => [`${kind}.${action}`, checkOf(params)]),
);
const WITH_TEMPLATES = { templates: true };

const isNamed = (kind: string): kind is keyof typeof NAMED => Object.hasOwn(NAMED, kind);
const isShort = (op: string): op is keyof typeof SHORT_OPS => Object.hasOwn(SHORT_OPS, op);
const includes = (list: readonly string[], text: string): boolean => list.includes(text);

/** Reads a step in any of its three forms. Undefined, with issues, if it is invalid. */
export function readStepForm(value: JsonObject, pointer: string, issues: IssueList): ReadStep | undefined {
  return Object.hasOwn(value, 'op') ? readOp(value, pointer, issues) : readKind(value, pointer, issues);
}

/** Reads `{id, kind, action, params}`. Undefined, with issues, if it is invalid. */
function readKind(value: JsonObject, pointer: string, issues: IssueList): ReadStep | undefined {
  if (!checkStepShape(value, pointer, issues)) return undefined;
  const { id, kind, action, params } = value as unknown as Step;
  const places = {
    params: within(pointer, 'params'),
    kind: within(pointer, 'kind'),
    target: within(pointer, 'action'),
  };
  return readStep({ id, kind, action, params }, places, issues);
}

/**
 * Reads `{id, op, args}` and `{id, op: 'conditional', if, then, else}`. Undefined, with issues, if
 * it is invalid.
 */
function readOp(value: JsonObject, pointer: string, issues: IssueList): ReadStep | undefined {
  const op = within(pointer, 'op');
  if (value['op'] === 'conditional') {
    if (!checkConditionalShape(value, pointer, issues)) return undefined;
    const { id, op: _op, ...params } = value;
    return readStep(
      { id: textOf(id), kind: 'control', action: 'if', params },
      { params: pointer, kind: op, target: op },
      issues,
    );
  }
  if (!checkOpShape(value, pointer, issues)) return undefined;
  const { id, op: name, args } = value as { id: string; op: string; args: JsonObject };
  const place = within(pointer, 'args');
  if (isNamed(name)) {
    if (!NAMED[name].args(args, place, issues, WITH_TEMPLATES)) return undefined;
    const { function: target, app_id: appId, type, ...params } = args;
    if (name === 'emit')
      return { step: { id, kind: name, action: textOf(type), params }, params: place, target: within(place, 'type') };
    const action = appId === null ? textOf(target) : `${textOf(appId)}.${textOf(target)}`;
    return { step: { id, kind: name, action, params }, params: place, target: within(place, 'function') };
  }
  const [kind = '', ...action] = (isShort(name) ? SHORT_OPS[name] : name).split('.');
  const step = { id, kind: kind as StepKind, action: action.join('.'), params: args };
  return readStep(step, { params: place, kind: op, target: op }, issues);
}

interface Places {
  params: string;
  kind: string;
  target: string;
}

function readStep(step: Step, { params, kind: kindPlace, target }: Places, issues: IssueList): ReadStep | undefined {
  const { kind, action } = step;
  if (isNamed(kind)) {
    const isAction = NAMED[kind].action(action, target, issues);
    const isParams = NAMED[kind].params(step.params, params, issues, WITH_TEMPLATES);
    return isAction && isParams ? { step, params, target } : undefined;
  }
  const check = CHECKS.get(`${kind}.${action}`);
  if (check) return check(step.params, params, issues, WITH_TEMPLATES) ? { step, params, target } : undefined;
  if (includes(DECLARATION_KINDS, kind)) {
    issues.add(
      kindPlace,
      'misplaced_declaration',
      `Only a top-level step of the simple form can declare a ${quote(kind)}.`,
    );
  } else if (!includes(STEP_KINDS, kind)) {
    const message = `There is no kind of step ${quote(kind)}. Known kinds: ${STEP_KINDS.join(', ')}.`;
    issues.add(kindPlace, 'unknown_operation', message, { of: kind, among: [...STEP_KINDS, ...DECLARATION_KINDS] });
  } else {
    const known = actionsOf(kind);
    const message = `${quote(kind)} has no action ${quote(action)}. Known actions: ${known.join(', ')}.`;
    issues.add(target, 'unknown_operation', message, { of: action, among: known });
  }
  return undefined;
}
