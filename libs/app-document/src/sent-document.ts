import { StepsReader, sentSteps, type SentStep } from './steps-reader.js';
import {
  DECLARATION_KINDS,
  type CodeReference,
  type DeclarationKind,
  type Implementation,
  type JsonObject,
  type JsonValue,
} from './document.js';
import { quote, within, type IssueList } from './issues.js';
import { isObject, textOf } from './json.js';
import { LIMITS } from './limits.js';
import { checkOf } from './schema/check.js';
import {
  codeReference,
  declarations,
  declarative,
  envelopeForm,
  simpleForm,
  stepShape,
  type Inner,
} from './schema/forms.js';
import type { Surroundings } from './step-rules.js';

/** The parts of a document in either form. Values can have any type if there are issues. */
export interface SentDocument {
  irVersion: JsonValue | undefined;
  /** With the keys of the envelope form. */
  app: JsonObject;
  pointer: string;
  idPointer: string;
  functions: SentPart[];
  webhooks: SentPart[];
  schedules: SentPart[];
  /** Event handlers that steps declare. */
  subscriptions: SentPart[];
}

/** A part with a name and an implementation. */
export interface SentPart {
  /** With the keys of the envelope form. */
  value: JsonObject;
  pointer: string;
  name: string;
  namePointer: string;
  body: SentBody;
}

export interface SentBody {
  pointer: string;
  steps: SentStep[];
  /** Present instead of steps. */
  code?: CodeReference;
  /** Ids that the steps cannot use. */
  taken?: ReadonlySet<string>;
}

/**
 * Inner parts are only checked for their type, because each one is read and reported separately.
 */
const PARTS: Inner = {
  implementation: { type: 'object' },
  render: { type: 'object' },
  steps: { type: 'array' },
  topLevelSteps: { type: 'array' },
};

const checkEnvelope = checkOf(envelopeForm(PARTS));
const checkSimple = checkOf(simpleForm(PARTS));
const checkCode = checkOf(codeReference);
const checkDeclarative = checkOf(declarative(PARTS.steps));
const checkStepShape = checkOf(stepShape);
const DECLARATIONS = declarations(PARTS);
const DECLARATION_CHECKS = Object.fromEntries(
  DECLARATION_KINDS.map((kind) => [
    kind,
    { name: checkOf(DECLARATIONS[kind].name), params: checkOf(DECLARATIONS[kind].params) },
  ]),
) as Record<DeclarationKind, { name: ReturnType<typeof checkOf>; params: ReturnType<typeof checkOf> }>;

export const objectsIn = (value: JsonValue | undefined): [index: number, item: JsonObject][] =>
  Array.isArray(value) ? [...value.entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1])) : [];

const listIn = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

export function readEnvelope(root: JsonObject, issues: IssueList): SentDocument {
  checkEnvelope(root, '', issues);
  const app = isObject(root['app']) ? root['app'] : {};
  const parts = (list: string, key: string): SentPart[] =>
    objectsIn(app[list]).map(([at, value]) => {
      const pointer = within('/app', list, at);
      const body = readImplementation(value['impl'], within(pointer, 'impl'), issues);
      return { value, pointer, name: textOf(value[key]), namePointer: within(pointer, key), body };
    });
  return {
    irVersion: root['ir_version'],
    app,
    pointer: '/app',
    idPointer: '/app/id',
    functions: parts('functions', 'name'),
    webhooks: parts('webhooks', 'path'),
    schedules: parts('schedules', 'name'),
    subscriptions: [],
  };
}

/**
 * Reads `{kind: 'declarative', steps}` or `{kind: 'code', module, entry}`. Adds an issue for any
 * other object, and returns no steps. Adds none for a value that is not an object, which the outer
 * schema refuses.
 */
export function readImplementation(impl: JsonValue | undefined, pointer: string, issues: IssueList): SentBody {
  const none = { pointer, steps: [] };
  if (!isObject(impl)) return none;
  switch (impl['kind']) {
    case 'code':
      return checkCode(impl, pointer, issues) ? { ...none, code: impl as unknown as CodeReference } : none;
    case 'declarative': {
      checkDeclarative(impl, pointer, issues);
      const place = within(pointer, 'steps');
      return { pointer: place, steps: sentSteps(listIn(impl['steps']), place) };
    }
    default:
      issues.add(
        within(pointer, 'kind'),
        'value',
        'The kind must be "declarative", with "steps", or "code", with "module" and "entry".',
      );
      return none;
  }
}

/** Name of the function that the top-level steps form. */
export const MAIN = 'main';

export function readSimple(root: JsonObject, issues: IssueList): SentDocument {
  checkSimple(root, '', issues);
  const { $schema: _schema, app_id: id, name, ir_version: irVersion, steps, ...shared } = root;
  const declared: Record<DeclarationKind, SentPart[]> = { function: [], webhook: [], schedule: [], event: [] };
  const ids = new Set<string>();
  const main: SentStep[] = [];
  for (const step of sentSteps(listIn(steps), '/steps')) {
    const kind = isObject(step.value)
      ? DECLARATION_KINDS.find((known) => isObject(step.value) && step.value['kind'] === known)
      : undefined;
    if (!kind) {
      main.push(step);
      continue;
    }
    const value = step.value as JsonObject;
    if (typeof value['id'] === 'string') {
      if (ids.has(value['id']))
        issues.add(within(step.pointer, 'id'), 'duplicate', `Another step has the id ${quote(value['id'])} too.`);
      ids.add(value['id']);
    }
    const part = readDeclaration(kind, value, step.pointer, issues);
    if (part) declared[kind].push(part);
  }
  const functions = [...declared.function];
  if (main.length) {
    const body = { pointer: '/steps', steps: main, taken: ids };
    const value = { ...MAIN_FUNCTION, description: shared['description'] ?? '' };
    functions.push({ value, pointer: '/steps', name: MAIN, namePointer: main[0]?.pointer ?? '/steps', body });
  }
  const limited = {
    functions,
    webhooks: declared.webhook,
    schedules: declared.schedule,
    subscriptions: declared.event,
  };
  for (const [what, parts] of Object.entries(limited)) {
    const limit = LIMITS[what as keyof typeof limited];
    if (parts.length > limit) issues.add('/steps', 'too_many', `There may be at most ${limit} ${what}.`);
  }
  return {
    irVersion,
    app: { ...shared, id: id ?? null, title: name ?? id ?? null, data: null, automations: [], lifecycle: null },
    pointer: '',
    idPointer: '/app_id',
    ...limited,
  };
}

const MAIN_FUNCTION = {
  action_type: null,
  params_schema: null,
  return_schema: null,
  required_scopes: ['*'],
  effects: [],
  event: null,
};

function readDeclaration(
  kind: DeclarationKind,
  value: JsonObject,
  pointer: string,
  issues: IssueList,
): SentPart | undefined {
  if (!checkStepShape(value, pointer, issues)) return undefined;
  const { action, params } = value as { action: string; params: JsonObject };
  const [namePointer, place] = [within(pointer, 'action'), within(pointer, 'params')];
  DECLARATION_CHECKS[kind].name(action, namePointer, issues);
  DECLARATION_CHECKS[kind].params(params, place, issues);
  return { value: params, pointer: place, name: action, namePointer, body: readBody(params, place, issues) };
}

function readBody({ steps, code }: JsonObject, place: string, issues: IssueList): SentBody {
  if ((steps === undefined) === (code === undefined)) {
    issues.add(place, 'required', 'Add an implementation: either "steps", or "code" with "module" and "entry".');
  }
  const pointer = within(place, code === undefined ? 'steps' : 'code');
  if (code === undefined) return { pointer, steps: sentSteps(listIn(steps), pointer) };
  const { module, entry } = isObject(code) ? code : {};
  const isReadable = typeof module === 'string' && typeof entry === 'string';
  return { pointer, steps: [], ...(isReadable && { code: { kind: 'code', module, entry } }) };
}

/**
 * Reads the implementation of a function or handler, and adds its issues: a reference to code, or
 * steps in their canonical form.
 *
 * @param params names of all parameters of the function; null if they are not known.
 */
export function implementationOf(
  { pointer, steps, code, taken }: SentBody,
  around: Surroundings,
  issues: IssueList,
  params: readonly string[] | null = null,
): Implementation {
  if (code) around.modules.checkReference(code, pointer);
  return (
    code ?? { kind: 'declarative', steps: new StepsReader(around, issues, taken, params).readSteps(steps, pointer) }
  );
}
