import { createInvalidError, createMissingError } from './stripe-api-error.js';
import { readNumber, readObject, readText, type KnownParameters, type Parameters } from './parameters.js';

export const PAGE_PARAMETERS = { limit: true, starting_after: true } satisfies KnownParameters;
export const CREATED_PARAMETERS = { gt: true, gte: true, lt: true, lte: true } satisfies KnownParameters;

/**
 * Filters objects by the bounds `gt`, `gte`, `lt` and `lte` in the parameter `created`. Returns all
 * objects if it is absent.
 */
export function filterByCreated<T extends { created: number }>(found: T[], given: Parameters): T[] {
  const created = readObject(given, 'created');
  if (!created) return found;
  const bound = (name: string) => readNumber(created, name);
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map(bound);
  return found.filter(
    ({ created: at }) =>
      (gt === undefined || at > gt) &&
      (gte === undefined || at >= gte) &&
      (lt === undefined || at < lt) &&
      (lte === undefined || at <= lte),
  );
}

/**
 * Returns one page as Stripe does: at most `limit` objects (10 by default) after `starting_after`.
 *
 * @throws StripeApiError 400 if `limit` is not 1 to 100, 404 if there is no object `starting_after`
 */
export function paginate<T extends { id: string }>(
  found: T[],
  given: Parameters,
  url: string,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const limit = readNumber(given, 'limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw createInvalidError('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer');
  const after = readText(given, 'starting_after');
  const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw createMissingError('object', after, 'starting_after');
  const data = found.slice(from, from + limit);
  return { object: 'list', data, has_more: from + data.length < found.length, url };
}
