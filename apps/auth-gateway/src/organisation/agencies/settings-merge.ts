import type { AgencySettings, AgencySettingsUpdate } from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';

interface Merge {
  set: Record<string, unknown>;
  removed: string[];
}

/** Settings update, split into values to set and keys to remove, for the merge in SQL. */
export interface SettingsMerge {
  known: Merge;
  /** Null: the update does not contain `extra`. */
  extra: Merge | null;
}

export function toSettingsMerge({ extra, ...known }: AgencySettingsUpdate): SettingsMerge {
  return { known: mergeOf(known), extra: extra ? mergeOf(extra) : null };
}

const mergeOf = (values: object): Merge => {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  return { set, removed: entries.filter(([, value]) => value === null).map(([key]) => key) };
};

/** Returns the settings of a new agency: all values to set. Keys to remove are ignored. */
export const toInitialSettings = ({ known, extra }: SettingsMerge): AgencySettings => ({
  ...known.set,
  ...(extra && { extra: extra.set }),
});

/**
 * SQL expression for the merged `a.settings`. Its parameters `$2` to `$5` come from `mergeValues`.
 */
export const MERGED_SETTINGS = `
  ((a.settings || $2::jsonb) - $3::text[]) || CASE WHEN $4::jsonb IS NULL THEN '{}'
    ELSE jsonb_build_object('extra', (coalesce(a.settings -> 'extra', '{}') || $4::jsonb) - $5::text[]) END`;

export const mergeValues = ({ known, extra }: SettingsMerge): unknown[] => [
  JSON.stringify(known.set),
  known.removed,
  extra && JSON.stringify(extra.set),
  extra?.removed ?? [],
];

/**
 * Describes a change of the settings for the audit log. Entries are kept forever and `extra` can
 * hold personal data, so the log gets old and new values of the known settings, but only the
 * changed keys of `extra`. Null if nothing changed.
 */
export function toAuditedChange(before: AgencySettings, after: AgencySettings) {
  const { extra: extraBefore = {}, ...knownBefore } = before;
  const { extra: extraAfter = {}, ...knownAfter } = after;
  const known = changedKeys(knownBefore, knownAfter);
  const extra_keys = changedKeys(extraBefore, extraAfter);
  if (!known.length && !extra_keys.length) return null;
  return {
    before: only(known, knownBefore),
    after: only(known, knownAfter),
    metadata: extra_keys.length ? { extra_keys } : {},
  };
}

function changedKeys(before: object, after: object): string[] {
  const [old, current] = [
    new Map<string, unknown>(Object.entries(before)),
    new Map<string, unknown>(Object.entries(after)),
  ];
  return [...new Set([...old.keys(), ...current.keys()])].filter(
    (key) => !isDeepStrictEqual(old.get(key), current.get(key)),
  );
}

const only = (keys: string[], values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
