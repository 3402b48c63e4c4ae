import type { Branch, JsonValue, Step } from './document.js';
import { quote, within, type IssueList } from './issues.js';
import { isObject, nameOfType, textOf } from './json.js';
import { LIMITS } from './limits.js';
import { checkOf } from './schema/check.js';
import { STEP_ID } from './schema/names.js';
import { operations } from './schema/operations.js';
import { text } from './schema/schema.js';
import { readStepForm, type ReadStep } from './step-forms.js';
import { applyRules, type Surroundings } from './step-rules.js';
import { TemplateCheck } from './template-check.js';
import { ITEM_ROOTS, TEMPLATE_ROOTS } from './templates.js';

/** A step as it was sent, with its place in the document. */
export interface SentStep {
  value: JsonValue;
  pointer: string;
}

export const sentSteps = (steps: readonly JsonValue[], pointer: string): SentStep[] =>
  steps.map((value, at) => ({ value, pointer: within(pointer, at) }));

const checkTarget = checkOf(text('', STEP_ID));
const LITERAL = new Map(operations.map(({ kind, action, literal }) => [`${kind}.${action}`, literal]));
const WITH_ITEMS = new Map([
  ['transform.map', 'to'],
  ['transform.filter', 'if'],
]);

/**
 * Ids of the steps in the current list and in the lists around it. A jump can only lead to these.
 */
type Visible = readonly ReadonlySet<string>[];

/** Reads and checks the steps of one function or handler. */
export class StepsReader {
  private readonly ids = new Set<string>();
  private readonly jumps: { to: string; pointer: string; visible: Visible }[] = [];
  private readonly mentions: { id: string; pointer: string }[] = [];
  private readonly templates: TemplateCheck;
  private count = 0;
  /** False if a step with inner steps could not be read, so that not all ids are known. */
  private isComplete = true;

  /**
   * `taken`: ids that the steps cannot use. `params`: all parameters of the function; null if they
   * are not known.
   */
  constructor(
    private readonly around: Surroundings,
    private readonly issues: IssueList,
    private readonly taken: ReadonlySet<string> = new Set(),
    params: readonly string[] | null = null,
  ) {
    this.templates = new TemplateCheck(issues, (id, pointer) => this.mentions.push({ id, pointer }), params);
  }

  /**
   * Reads steps into their canonical form, and adds an issue for each problem. The result is valid
   * only if no issues were added.
   *
   * @param pointer JSON pointer to the list of steps.
   */
  readSteps(steps: readonly SentStep[], pointer: string): Step[] {
    const result = this.readList(steps, pointer, []);
    if (this.count > LIMITS.steps)
      this.issues.add(pointer, 'too_many', `A function or handler may have at most ${LIMITS.steps} steps.`);
    if (!this.isComplete) return result;
    for (const { to, pointer, visible } of this.jumps) {
      if (visible.some((ids) => ids.has(to))) continue;
      const reason = this.ids.has(to)
        ? 'is in a list of inner steps that cannot be reached from here'
        : 'does not exist';
      this.issues.add(pointer, 'unknown_step', `The step ${quote(to)} ${reason}.`, { of: to, among: this.ids });
    }
    for (const { id, pointer } of this.mentions) {
      if (!this.ids.has(id))
        this.issues.add(pointer, 'unknown_step', `The step ${quote(id)} does not exist.`, { of: id, among: this.ids });
    }
    return result;
  }

  private readList(steps: readonly SentStep[], pointer: string, outer: Visible): Step[] {
    if (outer.length >= LIMITS.nesting) {
      this.issues.add(pointer, 'nesting', `Lists of steps may be nested at most ${LIMITS.nesting} levels deep.`);
      return [];
    }
    const ids = new Set<string>();
    return steps.flatMap((step) => this.readStep(step, ids, [ids, ...outer]) ?? []);
  }

  private readStep({ value, pointer }: SentStep, siblings: Set<string>, visible: Visible): Step | undefined {
    this.count++;
    if (!isObject(value)) {
      this.issues.add(pointer, 'type', `A step must be an object, but this is ${nameOfType(value)}.`);
      return undefined;
    }
    if (typeof value['id'] === 'string') this.register(value['id'], within(pointer, 'id'), siblings);
    const read = readStepForm(value, pointer, this.issues);
    if (!read) {
      this.isComplete &&= value['kind'] !== 'control' && value['op'] !== 'conditional' && value['op'] !== 'control.if';
      return undefined;
    }
    applyRules(read, this.issues, this.around);
    this.checkTemplates(read);
    if (read.step.kind === 'control') this.readControl(read, visible);
    return read.step;
  }

  private register(id: string, pointer: string, siblings: Set<string>): void {
    if (this.ids.has(id) || this.taken.has(id))
      this.issues.add(pointer, 'duplicate', `Another step has the id ${quote(id)} too.`);
    checkNotInherited(id, pointer, this.issues);
    this.ids.add(id);
    siblings.add(id);
  }

  private checkTemplates({ step, params }: ReadStep): void {
    const operation = `${step.kind}.${step.action}`;
    const literal = LITERAL.get(operation) ?? [];
    for (const [name, value] of Object.entries(step.params)) {
      if (literal.includes(name)) continue;
      const roots = WITH_ITEMS.get(operation) === name ? [...TEMPLATE_ROOTS, ...ITEM_ROOTS] : TEMPLATE_ROOTS;
      this.templates.check(value, within(params, name), roots);
    }
  }

  private readControl({ step, params }: ReadStep, visible: Visible): void {
    if (step.action === 'goto')
      this.jumps.push({ to: textOf(step.params['to']), pointer: within(params, 'to'), visible });
    if (step.action !== 'if') return;
    for (const name of ['then', 'else']) {
      step.params[name] = this.readBranch(step.params[name], within(params, name), visible) as JsonValue;
    }
  }

  private readBranch(branch: JsonValue | undefined, pointer: string, visible: Visible): Branch {
    if (Array.isArray(branch)) return this.readList(sentSteps(branch, pointer), pointer, visible);
    if (typeof branch !== 'string' || !checkTarget(branch, pointer, this.issues)) return null;
    this.jumps.push({ to: branch, pointer, visible });
    return branch;
  }
}

/**
 * Adds an issue if a name is that of an inherited property, such as `toString`. Names become keys
 * of objects, where a lookup would find the inherited property.
 */
export function checkNotInherited(name: string, pointer: string, issues: IssueList): void {
  if (name in Object.prototype) issues.add(pointer, 'reserved_name', `The name ${quote(name)} is reserved.`);
}
