type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the merge of both as RFC 7396 defines it: objects are merged at any depth, null removes a
 * key, any other value replaces the old one.
 */
export function mergePatch(target: Json, patch: Json): Json {
  const merged = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key];
    if (value === null) Reflect.deleteProperty(merged, key);
    else merged[key] = isRecord(value) ? mergePatch(isRecord(before) ? before : {}, value) : value;
  }
  return merged;
}
