import { getMetadataStorage } from 'class-validator';

/**
 * Whenever class-validator validates an object it gathers the rules of its class from among those of all classes, which took it half of
 * its time. A class has all of its rules once it is declared: here they are gathered once. Not so with groups or schemas, of which we
 * have none.
 */
export function rememberRules(): void {
  const storage = getMetadataStorage();
  const gather = storage.getTargetValidationMetadatas.bind(storage);
  const remembered = new WeakMap<object, ReturnType<typeof gather>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups) return gather(target, schema, always, strictGroups, groups);
    let rules = remembered.get(target);
    if (!rules) remembered.set(target, (rules = gather(target, schema, always, strictGroups, groups)));
    return rules;
  };
}
