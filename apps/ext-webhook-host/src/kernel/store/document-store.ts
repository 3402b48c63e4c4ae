import { Inject, Injectable } from '@nestjs/common';
import {
  assertCollection,
  assertId,
  assertLimit,
  type DocumentPage,
  isStorable,
  jsonObjectText,
  MAX_CHANGED,
  MAX_DOCUMENT_BYTES,
  MAX_LIMIT,
  MAX_SYSTEM_LIMIT,
  type QueryOptions,
  type Selection,
  type SystemListOptions,
  type UserPage,
  type StoredDocument,
  StoreErrors,
} from '@platform/extension-sdk/runtime';
import { queryPrepared, RowLookup, violatedConstraint } from '@platform/persistence';
import { newId } from '@platform/platform';
import { randomUUID } from 'node:crypto';
import { DataSource, QueryFailedError } from 'typeorm';
import { pageStatement, writeCursor, type PageRequest, type PageRow } from './document-page.js';
import { selectionCondition, collectionCondition, type Statement } from './document-selection.js';
import { DOCUMENT_COLUMNS, toDocument, type AppScope, type DocumentRow, type StoreScope } from './documents.js';

/** Limits of one app in one tenant. The last document, and concurrent writes, can exceed them. */
export interface StoreLimits {
  documents: number;
  bytes: number;
}

/** A user in one app or in all apps, or an app for all users. */
export interface PurgeScope {
  tenantId: string | null;
  appId: string | null;
  userId: string | null;
}

export const STORE_LIMITS = Symbol('STORE_LIMITS');
export const DEFAULT_STORE_LIMITS: StoreLimits = { documents: 100_000, bytes: 256 * 1024 * 1024 };

const OF_SCOPE = 'tenant_id = $1 AND app_id = $2 AND collection = $3 AND user_id = $4';
/** See `StoreScope.changedUntil`; null: no limit. */
const wasChangedUntil = (column: string, until: string): string =>
  `(${until}::timestamptz IS NULL OR ${column} <= ${until}::timestamptz)`;
const USED = `used AS (
  SELECT coalesce(sum(documents), 0) AS documents, coalesce(sum(bytes), 0) AS bytes FROM document_usage WHERE tenant_id = $1 AND app_id = $2
)`;

/**
 * Documents of apps. A document belongs to an app, to a user in a tenant and to a collection, and
 * is found only with all of them. Each refusal is an ExtensionError: STORE_…, or JSON_INVALID for
 * data that JSON or the database cannot represent.
 */
@Injectable()
export class DocumentStore {
  private readonly byId: RowLookup<DocumentRow>;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(STORE_LIMITS) private readonly limits: StoreLimits,
  ) {
    const key = ['tenant_id', 'app_id', 'collection', 'user_id', 'id'];
    this.byId = new RowLookup(dataSource, { table: 'documents', key, columns: DOCUMENT_COLUMNS });
  }

  /**
   * Creates a document. If there already is one with this `id`, its data is replaced, as in
   * `setDocument`: a retry passes the same id.
   *
   * @throws as `setDocument`.
   */
  createDocument(
    scope: StoreScope,
    collection: string,
    data: Record<string, unknown>,
    id = newId('doc'),
  ): Promise<StoredDocument> {
    return this.setDocument(scope, collection, id, data);
  }

  /**
   * Returns a document; null if there is none.
   *
   * @throws ExtensionError STORE_COLLECTION_INVALID or STORE_ID_INVALID if the collection or the id
   * is not allowed.
   */
  async findDocument(scope: StoreScope, collection: string, id: string): Promise<StoredDocument | null> {
    const row = await this.byId.findRow(keyOf(scope, collection, id));
    return row ? toDocument(scope, collection, row) : null;
  }

  /**
   * Creates the document with this id, or replaces its data.
   *
   * @throws ExtensionError STORE_FULL if the app has reached its limit of bytes in the tenant or,
   * for a new document, of documents; STORE_DOCUMENT_TOO_LARGE above 256 KiB; STORE_CONFLICT with
   * the `current_etag` if the document was changed later than `scope.changedUntil`; JSON_INVALID if
   * the data cannot be represented in JSON; the errors of `findDocument`.
   */
  async setDocument(
    scope: StoreScope,
    collection: string,
    id: string,
    data: Record<string, unknown>,
  ): Promise<StoredDocument> {
    const key = keyOf(scope, collection, id);
    const [row] = await this.prepared<DocumentRow>(
      `WITH ${USED}
       INSERT INTO documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
       SELECT $1, $2, $3, $4, $5, $6::jsonb, octet_length($6::jsonb::text), $7 FROM used
       WHERE used.bytes < $8 AND (used.documents < $9 OR EXISTS (SELECT FROM documents WHERE ${OF_SCOPE} AND id = $5))
       ON CONFLICT (tenant_id, app_id, collection, user_id, id)
         DO UPDATE SET data = excluded.data, bytes = excluded.bytes, etag = excluded.etag, updated_at = now()
         WHERE ${wasChangedUntil('documents.updated_at', '$10')}
       RETURNING ${DOCUMENT_COLUMNS}`,
      [...key, textOf(data), newEtag(), this.limits.bytes, this.limits.documents, scope.changedUntil ?? null],
    );
    if (!row) throw await this.whyNotSet(key, scope);
    return toDocument(scope, collection, row);
  }

  /**
   * Replaces the fields of the document that are in `changes`; other fields stay. If `ifMatch` is
   * set, only if the document still has this etag.
   *
   * @throws ExtensionError STORE_NOT_FOUND if there is no document; STORE_CONFLICT with the
   * `current_etag` if it has another etag, or was changed later than `scope.changedUntil`;
   * STORE_FULL if the app has reached its limit of bytes in the tenant; STORE_DOCUMENT_TOO_LARGE
   * above 256 KiB; JSON_INVALID if `changes` cannot be represented in JSON; the errors of
   * `findDocument`.
   */
  async updateDocument(
    scope: StoreScope,
    collection: string,
    id: string,
    changes: Record<string, unknown>,
    ifMatch: string | null = null,
  ): Promise<StoredDocument> {
    const key = keyOf(scope, collection, id);
    const [row] = await this.prepared<DocumentRow>(
      `WITH ${USED}
       UPDATE documents SET data = data || $6::jsonb, bytes = octet_length((data || $6::jsonb)::text), etag = $7, updated_at = now()
       FROM used WHERE ${OF_SCOPE} AND id = $5 AND used.bytes < $8 AND etag = coalesce($9::text, etag)
         AND ${wasChangedUntil('updated_at', '$10')}
       RETURNING ${DOCUMENT_COLUMNS}`,
      [...key, textOf(changes), newEtag(), this.limits.bytes, ifMatch, scope.changedUntil ?? null],
    );
    if (!row) throw await this.whyNotUpdated(key, ifMatch, scope);
    return toDocument(scope, collection, row);
  }

  /**
   * Deletes a document. Returns false if there was none, or it was changed later than
   * `scope.changedUntil`.
   *
   * @throws ExtensionError STORE_COLLECTION_INVALID or STORE_ID_INVALID if the collection or the id
   * is not allowed.
   */
  async deleteDocument(scope: StoreScope, collection: string, id: string): Promise<boolean> {
    const rows = await this.prepared(
      `DELETE FROM documents WHERE ${OF_SCOPE} AND id = $5 AND ${wasChangedUntil('updated_at', '$6')} RETURNING id`,
      [...keyOf(scope, collection, id), scope.changedUntil ?? null],
    );
    return rows.length > 0;
  }

  async queryDocuments(scope: StoreScope, collection: string, options: QueryOptions = {}): Promise<DocumentPage> {
    const { limit = 100, orderBy = 'created_at', cursor = null } = options;
    assertLimit(limit, MAX_LIMIT);
    return this.page(scope, collection, selectionCondition(scope, collection, options), { limit, orderBy, cursor });
  }

  async countDocuments(scope: StoreScope, collection: string, selection: Selection = {}): Promise<number> {
    return this.countOf(selectionCondition(scope, collection, selection));
  }

  /**
   * Replaces the fields in `changes` in the first 1,000 documents, by id, that a selection names:
   * all or none. Returns their ids.
   *
   * @throws ExtensionError STORE_FULL if the app has reached its limit of bytes in the tenant;
   * STORE_DOCUMENT_TOO_LARGE if one of them would have more than 256 KiB; JSON_INVALID if `changes`
   * cannot be represented in JSON; the errors of `selectionCondition`.
   */
  async updateDocuments(
    scope: StoreScope,
    collection: string,
    selection: Selection,
    changes: Record<string, unknown>,
  ): Promise<string[]> {
    const { text, values } = selectionCondition(scope, collection, selection);
    const patch = `$${values.push(textOf(changes))}::jsonb`;
    const [used] = await this.prepared<{ is_full: boolean }>(`WITH ${USED} SELECT bytes >= $3 AS is_full FROM used`, [
      scope.tenantId,
      scope.appId,
      this.limits.bytes,
    ]);
    if (used?.is_full) throw StoreErrors.full();
    return this.changed({
      text: `WITH ${chosen(text)} UPDATE documents
        SET data = data || ${patch}, bytes = octet_length((data || ${patch})::text), etag = gen_random_uuid(), updated_at = now()
        WHERE ${OF_SCOPE} AND id IN (SELECT id FROM chosen) RETURNING id`,
      values,
    });
  }

  /**
   * Deletes the first 1,000 documents, by id, that a selection names, and returns their ids.
   *
   * @throws as `selectionCondition`, if the selection is not allowed.
   */
  async deleteDocuments(scope: StoreScope, collection: string, selection: Selection): Promise<string[]> {
    const { text, values } = selectionCondition(scope, collection, selection);
    return this.changed({
      text: `WITH ${chosen(text)} DELETE FROM documents WHERE ${OF_SCOPE} AND id IN (SELECT id FROM chosen) RETURNING id`,
      values,
    });
  }

  /**
   * Deletes up to 1,000 documents of all collections that were last changed before a time: of a
   * user in an app, or in all apps of the user's tenant; or of an app in all tenants, including its
   * own identities. `hasMore` is true if others can be left. When an app is purged for all users,
   * its usage count in a tenant is deleted with its last documents there.
   */
  async purgeDocuments(purged: PurgeScope, changedBefore: string): Promise<{ deleted: number; hasMore: boolean }> {
    const [rows = []] = await this.planned<object[]>(purgeOf(purged, changedBefore));
    const hasMore = rows.length === MAX_CHANGED;
    if (purged.userId === null && !hasMore) {
      await this.planned({
        text: `DELETE FROM document_usage u WHERE app_id = $1
          AND NOT EXISTS (SELECT FROM documents d WHERE d.tenant_id = u.tenant_id AND d.app_id = u.app_id)`,
        values: [purged.appId],
      });
    }
    return { deleted: rows.length, hasMore };
  }

  /**
   * Time of the database, to the microsecond. The same clock sets the times at which documents
   * change.
   */
  async databaseTime(): Promise<string> {
    const [{ now }] = await this.dataSource.query<[{ now: string }]>(
      "SELECT to_jsonb(clock_timestamp()) #>> '{}' AS now",
    );
    return now;
  }

  /**
   * A page of the ids of the users that have documents in a collection, sorted, without the app's
   * own identities. For runs without a user.
   *
   * @throws ExtensionError STORE_COLLECTION_INVALID if the name of the collection is not allowed;
   * STORE_LIMIT_INVALID if `limit` is not 1 to 10,000; STORE_CURSOR_INVALID if the cursor is
   * damaged.
   */
  async listUsers(
    scope: AppScope,
    collection: string,
    { limit = 1_000, cursor = null }: SystemListOptions = {},
  ): Promise<UserPage> {
    assertLimit(limit, MAX_SYSTEM_LIMIT);
    const { text, values } = collectionCondition(scope, collection);
    const after = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString();
    if (!isStorable(after)) throw StoreErrors.cursorInvalid();
    const rows = await this.planned<{ user_id: string }>({
      text: `SELECT DISTINCT user_id FROM documents WHERE ${text} AND user_id > $4 AND NOT starts_with(user_id, '__') ORDER BY user_id LIMIT $5`,
      values: [...values, after, limit + 1],
    });
    const data = rows.slice(0, limit).map(({ user_id }) => user_id);
    const hasMore = rows.length > limit;
    return { data, cursor: hasMore ? Buffer.from(data.at(-1) ?? '').toString('base64url') : null, has_more: hasMore };
  }

  /**
   * A page of the documents of all users in a collection, ordered by user and id; it ends at
   * `limit` or at 4 MiB. For runs without a user.
   *
   * @throws ExtensionError STORE_COLLECTION_INVALID if the name of the collection is not allowed;
   * STORE_LIMIT_INVALID if `limit` is not 1 to 10,000; STORE_CURSOR_INVALID if the cursor is
   * damaged or belongs to another list.
   */
  async queryAllUsers(
    scope: AppScope,
    collection: string,
    { limit = 1_000, cursor = null }: SystemListOptions = {},
  ): Promise<DocumentPage> {
    assertLimit(limit, MAX_SYSTEM_LIMIT);
    return this.page(scope, collection, collectionCondition(scope, collection), { limit, orderBy: 'user_id', cursor });
  }

  private async page(
    scope: AppScope,
    collection: string,
    condition: Statement,
    request: PageRequest,
  ): Promise<DocumentPage> {
    const rows = await this.planned<PageRow>(pageStatement(condition, request)).catch((error: unknown) => {
      // Only PostgreSQL checks the values in a cursor.
      throw request.cursor !== null && isDataException(error) ? StoreErrors.cursorInvalid() : error;
    });
    const last = rows.at(-1);
    const hasMore = last !== undefined && last.found > rows.length;
    return {
      data: rows.map((row) => toDocument(scope, collection, row)),
      cursor: hasMore ? writeCursor(request.orderBy, last) : null,
      has_more: hasMore,
      total: hasMore || request.cursor !== null ? await this.countOf(condition) : rows.length,
    };
  }

  private async countOf({ text, values }: Statement): Promise<number> {
    const [row] = await this.planned<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM documents WHERE ${text}`,
      values,
    });
    return row?.total ?? 0;
  }

  private async whyNotSet(key: string[], { changedUntil }: StoreScope): Promise<Error> {
    if (changedUntil === undefined) return StoreErrors.full();
    const [newer] = await this.prepared<{ etag: string }>(
      `SELECT etag FROM documents WHERE ${OF_SCOPE} AND id = $5 AND NOT ${wasChangedUntil('updated_at', '$6')}`,
      [...key, changedUntil],
    );
    return newer ? StoreErrors.conflict(newer.etag) : StoreErrors.full();
  }

  private async whyNotUpdated(
    key: string[],
    ifMatch: string | null,
    { changedUntil = null }: { changedUntil?: string | null },
  ): Promise<Error> {
    const [known] = await this.prepared<{ etag: string; is_full: boolean; is_newer: boolean }>(
      `WITH ${USED} SELECT etag, used.bytes >= $6 AS is_full, NOT ${wasChangedUntil('updated_at', '$7')} AS is_newer
       FROM documents, used WHERE ${OF_SCOPE} AND id = $5`,
      [...key, this.limits.bytes, changedUntil],
    );
    if (known && (known.is_newer || (ifMatch !== null && known.etag !== ifMatch)))
      return StoreErrors.conflict(known.etag);
    return known?.is_full ? StoreErrors.full() : StoreErrors.notFound();
  }

  private async changed(statement: Statement): Promise<string[]> {
    const [rows] = await this.planned<{ id: string }[]>(statement);
    return (rows ?? []).map(({ id }) => id).sort();
  }

  /**
   * Runs a statement as a prepared one. Statements by key are prepared. A search is planned each
   * time (`planned`), because the best plan depends on its values.
   *
   * @throws ExtensionError STORE_DOCUMENT_TOO_LARGE if a document would have more than 256 KiB.
   */
  private prepared<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return queryPrepared<Row>(this.dataSource, text, values).catch(tooLarge);
  }

  private planned<Row>({ text, values }: Statement): Promise<Row[]> {
    return this.dataSource.query<Row[]>(text, values).catch(tooLarge);
  }
}

const keyOf = (scope: StoreScope, collection: string, id: string): string[] => {
  assertCollection(collection);
  assertId(id);
  return [scope.tenantId, scope.appId, collection, scope.userId, id];
};

/**
 * Statement of `purgeDocuments`. It deletes in one place (tenant and app) after the other until
 * there are enough, so that each place is found by index. Rows are locked in one order, like in
 * `chosen`. If a place is not given, it is found in `document_usage`, which counts all documents.
 */
function purgeOf({ tenantId, appId, userId }: PurgeScope, changedBefore: string): Statement {
  const values: unknown[] = [changedBefore];
  const given = (value: string): string => `$${values.push(value)}::text`;
  const counted = (column: string, value: string | null): string =>
    `SELECT DISTINCT tenant_id, app_id FROM document_usage WHERE ${column} = ${given(value ?? '')} ORDER BY tenant_id, app_id`;
  let places: string;
  if (userId === null) places = counted('app_id', appId);
  else if (tenantId === null || appId === null) places = counted('tenant_id', tenantId);
  else places = `SELECT ${given(tenantId)} AS tenant_id, ${given(appId)} AS app_id`;
  return {
    text: `WITH chosen AS MATERIALIZED (
        SELECT found.* FROM (${places}) place CROSS JOIN LATERAL (
          SELECT tenant_id, app_id, user_id, collection, id FROM documents
          WHERE tenant_id = place.tenant_id AND app_id = place.app_id ${userId === null ? '' : `AND user_id = ${given(userId)}`} AND updated_at < $1
          ORDER BY user_id, collection, id LIMIT ${MAX_CHANGED} FOR UPDATE) found
        LIMIT ${MAX_CHANGED})
      DELETE FROM documents WHERE (tenant_id, app_id, user_id, collection, id) IN (TABLE chosen) RETURNING 1`,
    values,
  };
}

const newEtag = (): string => randomUUID();

/**
 * Ids that a change by selection reaches. They are locked in one order, so that two changes cannot
 * deadlock. A subquery could run again and return other ids.
 */
const chosen = (condition: string): string =>
  `chosen AS MATERIALIZED (SELECT id FROM documents WHERE ${condition} ORDER BY id LIMIT ${MAX_CHANGED} FOR UPDATE)`;

function textOf(data: Record<string, unknown>): string {
  const text = jsonObjectText(data);
  // PostgreSQL makes the final check on its own text of the data, which is never shorter.
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw StoreErrors.tooLarge();
  return text;
}

function tooLarge(error: unknown): never {
  throw violatedConstraint(error) === 'documents_size_check' ? StoreErrors.tooLarge() : error;
}

const isDataException = (error: unknown): boolean =>
  error instanceof QueryFailedError && ((error.driverError as { code?: string }).code ?? '').startsWith('22');
