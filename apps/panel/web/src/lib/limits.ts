/** Name of the checkbox for no limit, next to the field of a limit. */
export const noLimit = (name: string): string => `${name}_none`;

/**
 * Reads the limit `name` from form values. Null only if the checkbox for no limit is checked, never
 * for an empty field. Text that is not a number is sent unchanged, so that the platform returns its
 * error.
 */
export function limitOf(values: Readonly<Record<string, string>>, name: string): number | null {
  if (noLimit(name) in values) return null;
  const typed = (values[name] ?? '').trim();
  return /^\d+$/.test(typed) ? Number(typed) : (typed as unknown as number);
}
