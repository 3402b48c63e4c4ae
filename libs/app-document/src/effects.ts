import type { ActionType } from '@platform/contracts';
import type { Implementation, Step } from './document.js';
import { findOperation } from './schema/operations.js';
import { everyStep } from './walk.js';

const STRENGTH: Readonly<Record<ActionType, number>> = { read: 0, write: 1, destructive: 2 };

export const stronger = (one: ActionType, other: ActionType): ActionType =>
  STRENGTH[one] >= STRENGTH[other] ? one : other;

interface Undecided {
  name: string;
  /** Null: the steps decide. */
  action_type: ActionType | null;
  impl: Implementation;
}

/**
 * Effect of each function, by its name: the declared one, or the strongest effect of its steps.
 * Code can have any effect; functions of other apps count as `write`.
 */
export function actionTypes(functions: readonly Undecided[]): Map<string, ActionType> {
  const types = new Map(functions.map((each) => [each.name, each.action_type ?? ownEffect(each.impl)]));
  const undecided = functions
    .filter(({ action_type }) => action_type === null)
    .map(({ name, impl }) => ({ name, targets: impl.kind === 'declarative' ? callsOf(impl.steps) : [] }));
  // Functions can call each other in a circle, so this repeats until no effect becomes stronger: at
  // most two rounds per function.
  for (let changed = true; changed;) {
    changed = false;
    for (const { name, targets } of undecided) {
      const before = types.get(name) ?? 'read';
      const after = targets.map((target) => types.get(target) ?? 'write').reduce(stronger, before);
      if (after === before) continue;
      types.set(name, after);
      changed = true;
    }
  }
  return types;
}

function ownEffect(impl: Implementation): ActionType {
  if (impl.kind === 'code') return 'destructive';
  return [...everyStep(impl.steps)]
    .map(({ kind, action }) => (kind === 'emit' ? 'write' : (findOperation(kind, action)?.effect ?? 'read')))
    .reduce<ActionType>(stronger, 'read');
}

const callsOf = (steps: readonly Step[]): string[] => [
  ...new Set([...everyStep(steps)].filter(({ kind }) => kind === 'call').map(({ action }) => action)),
];
