/** Name of the checkbox for no limit, next to the field of a limit. */
export const noLimit = (name: string): string => `${name}_none`;

/**
 * Reads the limit `name`, in credits, from form values. Null only if the checkbox for no limit is
 * checked, never for an empty field. Text that is not a whole number is returned as it is, so that
 * the platform refuses it with its own error.
 */
export function limitOf(values: Readonly<Record<string, string>>, name: string): number | null {
  if (noLimit(name) in values) return null;
  const typed = (values[name] ?? '').trim();
  return /^\d+$/.test(typed) ? Number(typed) : (typed as unknown as number);
}
