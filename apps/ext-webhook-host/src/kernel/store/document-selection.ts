import {
  assertCollection,
  assertId,
  jsonObjectText,
  MAX_IDS,
  type Selection,
  StoreErrors,
} from '@platform/extension-sdk/runtime';
import type { AppScope, StoreScope } from './documents.js';

/** SQL with its values. */
export interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Condition on `documents` for those of a user in a collection: with all fields of `where` at
 * exactly these values, and with one of the `ids`; either can be missing. Only documents that were
 * changed at the latest at `scope.changedUntil`, if it is set.
 *
 * @throws ExtensionError STORE_COLLECTION_INVALID if the name of the collection is not allowed;
 * STORE_IDS_INVALID if `ids` is not a list of at most 1,000 ids; STORE_ID_INVALID if one of them is
 * malformed; JSON_INVALID if `where` is not a JSON object.
 */
export function selectionCondition(scope: StoreScope, collection: string, { where, ids }: Selection): Statement {
  assertCollection(collection);
  const values: unknown[] = [scope.tenantId, scope.appId, collection, scope.userId];
  const conditions: string[] = [];
  const equal = where === undefined ? '{}' : jsonObjectText(where);
  const wanted = equal === '{}' ? '' : `$${values.push(equal)}::jsonb`;
  // The terms already contain the owner. Conditions on its columns would mislead the planner: it
  // takes both for independent, and would read all documents of the user instead of using the
  // index.
  conditions.push(
    hasTerms(where)
      ? `document_terms(tenant_id, app_id, collection, user_id, data) @> document_terms($1, $2, $3, $4, ${wanted})`
      : 'tenant_id = $1 AND app_id = $2 AND collection = $3 AND user_id = $4',
  );
  // The terms show only that the data contains the values, not that it equals them.
  if (wanted)
    conditions.push(
      `NOT EXISTS (SELECT FROM jsonb_each(${wanted}) AS wanted WHERE data -> wanted.key IS DISTINCT FROM wanted.value)`,
    );
  if (ids) {
    if (!Array.isArray(ids) || ids.length > MAX_IDS) throw StoreErrors.idsInvalid(MAX_IDS);
    ids.forEach(assertId);
    conditions.push(`id = ANY ($${values.push(ids)}::text[])`);
  }
  if (scope.changedUntil !== undefined)
    conditions.push(`updated_at <= $${values.push(scope.changedUntil)}::timestamptz`);
  return { text: conditions.join(' AND '), values };
}

/**
 * True if the index on the terms of documents can find a value. It has values with their paths, but
 * no empty lists and objects.
 */
const hasTerms = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasTerms) : value !== undefined;

/**
 * Condition for the documents of all users in a collection of an app in a tenant.
 *
 * @throws ExtensionError STORE_COLLECTION_INVALID if the name is not allowed.
 */
export function collectionCondition({ tenantId, appId }: AppScope, collection: string): Statement {
  assertCollection(collection);
  return { text: 'tenant_id = $1 AND app_id = $2 AND collection = $3', values: [tenantId, appId, collection] };
}
