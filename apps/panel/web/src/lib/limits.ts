/** The name of the choice of no limit, beside the field of a limit. */
export const noLimit = (name: string): string => `${name}_none`;

/**
 * The limit that a form has: null only where no limit was chosen, never for a field that was emptied. What is no number goes to the platform as it
 * is, which says what is wrong with it.
 */
export function limitOf(values: Readonly<Record<string, string>>, name: string): number | null {
  if (noLimit(name) in values) return null;
  const typed = (values[name] ?? '').trim();
  return /^\d+$/.test(typed) ? Number(typed) : (typed as unknown as number);
}
