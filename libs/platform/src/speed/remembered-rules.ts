import { getMetadataStorage } from 'class-validator';
import { speedTrick } from './speed-trick.js';

/**
 * Replaces: for each object that it validates, class-validator checks for every class with rules
 * whether it is a parent of the object's class (`MetadataStorage.getTargetValidationMetadatas`).
 * Classes do not change, so the result is kept for each class.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=remembered-rules.
 */
export const rememberedRules = speedTrick('remembered-rules', 'class-validator', '0.15.1');

const remembering = new WeakSet<object>();

/**
 * Makes class-validator keep the rules that it finds for each class. A second call, or a call while
 * the speed trick is off, does nothing.
 */
export function rememberRules(
  storage: Pick<ReturnType<typeof getMetadataStorage>, 'getTargetValidationMetadatas'> = getMetadataStorage(),
): void {
  if (!rememberedRules.isOn || remembering.has(storage)) return;
  remembering.add(storage);
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new WeakMap<object, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (always || strictGroups || groups?.length) return find(target, schema, always, strictGroups, groups);
    let rules = known.get(target);
    if (!rules) known.set(target, (rules = find(target, schema, always, strictGroups)));
    return rules;
  };
}
