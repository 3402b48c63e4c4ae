import { assertCollection, assertId, jsonObjectText, MAX_IDS, type Selection, StoreErrors } from '@platform/extension-sdk/runtime';
import type { AppScope, StoreScope } from './documents.js';

/** SQL with its values. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** A selection of one user's documents as a condition on `documents`. */
export function selected(scope: StoreScope, collection: string, { where, ids }: Selection): Statement {
  assertCollection(collection);
  const values: unknown[] = [scope.tenantId, scope.appId, collection, scope.userId];
  const conditions: string[] = [];
  const equal = where === undefined ? '{}' : jsonObjectText(where);
  const wanted = equal === '{}' ? '' : `$${values.push(equal)}::jsonb`;
  // The terms say whose documents they are of. Said by columns too, it would only mislead the planner, which takes both for independent
  // of each other and would read all that a user has rather than ask the index.
  conditions.push(
    hasTerms(where)
      ? `document_terms(tenant_id, app_id, collection, user_id, data) @> document_terms($1, $2, $3, $4, ${wanted})`
      : 'tenant_id = $1 AND app_id = $2 AND collection = $3 AND user_id = $4',
  );
  // To contain, which is what the terms can tell, is less than to be equal.
  if (wanted)
    conditions.push(`NOT EXISTS (SELECT FROM jsonb_each(${wanted}) AS wanted WHERE data -> wanted.key IS DISTINCT FROM wanted.value)`);
  if (ids) {
    if (!Array.isArray(ids) || ids.length > MAX_IDS) throw StoreErrors.idsInvalid(MAX_IDS);
    ids.forEach(assertId);
    conditions.push(`id = ANY ($${values.push(ids)}::text[])`);
  }
  if (scope.changedUntil !== undefined) conditions.push(`updated_at <= $${values.push(scope.changedUntil)}::timestamptz`);
  return { text: conditions.join(' AND '), values };
}

/** Whether there is anything in it that the index knows: it holds values with the path to them, but no empty lists and objects. */
const hasTerms = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasTerms) : value !== undefined;

/** The documents of all users of a collection, as a condition. */
export function selectedOfAll({ tenantId, appId }: AppScope, collection: string): Statement {
  assertCollection(collection);
  return { text: 'tenant_id = $1 AND app_id = $2 AND collection = $3', values: [tenantId, appId, collection] };
}
