import type { WebhookRequest } from './definition.js';

/**
 * Returns the query of a request in the forms that handlers can read: as text, with the last value,
 * and with all values of each parameter.
 *
 * @param query without the question mark.
 */
export function queryForms(query: string): Pick<WebhookRequest, 'query' | 'query_params' | 'query_values'> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  // `Object.fromEntries` instead of assignment, since assigning `__proto__` would change the
  // prototype.
  return {
    query,
    query_params: Object.fromEntries(Array.from(values, ([name, all]) => [name, all.at(-1) ?? ''])),
    query_values: Object.fromEntries(values),
  };
}
