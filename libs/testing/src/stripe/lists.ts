import { invalid, missing } from './stripe-api-error.js';
import { numberOf, objectOf, textOf, type Known, type Parameters } from './parameters.js';

export const PAGE = { limit: true, starting_after: true } satisfies Known;
export const CREATED = { gt: true, gte: true, lt: true, lte: true } satisfies Known;

/**
 * Filters objects by the bounds `gt`, `gte`, `lt` and `lte` in the parameter `created`. Returns all
 * objects if it is absent.
 */
export function within<T extends { created: number }>(found: T[], given: Parameters): T[] {
  const created = objectOf(given, 'created');
  if (!created) return found;
  const bound = (name: string) => numberOf(created, name);
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
export function pageOf<T extends { id: string }>(
  found: T[],
  given: Parameters,
  url: string,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const limit = numberOf(given, 'limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw invalid('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer');
  const after = textOf(given, 'starting_after');
  const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw missing('object', after, 'starting_after');
  const data = found.slice(from, from + limit);
  return { object: 'list', data, has_more: from + data.length < found.length, url };
}
