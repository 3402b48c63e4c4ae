import { getMetadataStorage } from 'class-validator';
import { speedTrick } from './speed-trick.js';

/**
 * Replaces: for each object that it validates, class-validator asks every class that has rules whether it is a parent of that object's
 * (`MetadataStorage.getTargetValidationMetadatas`). Classes do not change, so each is asked about once.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=remembered-rules.
 */
export const rememberedRules = speedTrick('remembered-rules', 'class-validator', '0.15.1');

const remembering = new WeakSet<object>();

/** Once for a storage of rules; a second time does nothing. */
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
