type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What RFC 7396 makes of `target`: objects are merged at any depth, null removes a key, anything else replaces what was there. */
export function mergePatch(target: Json, patch: Json): Json {
  const merged = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key];
    if (value === null) Reflect.deleteProperty(merged, key);
    else merged[key] = isRecord(value) ? mergePatch(isRecord(before) ? before : {}, value) : value;
  }
  return merged;
}
