import type { JsonObject } from '@platform/app-document';
import { newId } from '@platform/platform';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Budget } from '../context/run-limits.js';
import { jsonObjectText } from '../json-text.js';
import { MAX_DOCUMENT_BYTES } from '../store/document.entity.js';
import { MAX_IDS, type Selection } from '../store/document-selection.js';
import { MAX_CHANGED, type QueryOptions } from '../store/document-store.service.js';
import { assertCollection, assertId, assertLimit, type DocumentPage, type StoredDocument } from '../store/documents.js';
import { StoreErrors } from '../store/store.errors.js';

const MAX_LIMIT = 1_000;
const MAX_DOCUMENTS = 10_000;

export interface MemoryOwner {
  appId: string;
  tenantId: string;
  userId: string;
}

/** `ctx.store` of a function, without a database and for one run. Refuses what `DocumentStore` refuses; sorts texts by their code units. */
export class MemoryStore {
  private readonly documents = new Map<string, StoredDocument>();
  private readonly budget: Budget;

  constructor(
    private readonly owner: MemoryOwner,
    operations: number,
  ) {
    this.budget = new Budget('store operations', operations);
  }

  create(collection: string, data: JsonObject): StoredDocument {
    return this.put(collection, newId('doc'), data);
  }

  set(path: string, data: JsonObject): StoredDocument {
    const [, collection = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(path) ?? [];
    return this.put(collection, id, data);
  }

  private put(collection: string, id: string, data: JsonObject): StoredDocument {
    const key = this.key(collection, id);
    const known = this.documents.get(key);
    if (!known && this.documents.size >= MAX_DOCUMENTS) throw StoreErrors.full();
    const now = new Date().toISOString();
    return this.keep(key, {
      id,
      collection,
      data: copyOf(data),
      extension_id: this.owner.appId,
      tenant_id: this.owner.tenantId,
      user_id: this.owner.userId,
      etag: randomUUID(),
      created_at: known?.created_at ?? now,
      updated_at: now,
    });
  }

  get(collection: string, id: string): StoredDocument | null {
    return this.documents.get(this.key(collection, id)) ?? null;
  }

  update(collection: string, id: string, changes: JsonObject, ifMatch?: string): StoredDocument {
    const key = this.key(collection, id);
    const known = this.documents.get(key);
    if (!known) throw StoreErrors.notFound();
    if (ifMatch !== undefined && ifMatch !== known.etag) throw StoreErrors.conflict(known.etag);
    return this.changed(key, known, changes);
  }

  updateMany(collection: string, selection: Selection, changes: JsonObject): string[] {
    this.budget.spend();
    const found = this.selected(collection, selection).slice(0, MAX_CHANGED);
    for (const document of found) this.changed(`${collection}/${document.id}`, document, changes);
    return found.map(({ id }) => id).sort();
  }

  delete(collection: string, id: string): boolean {
    return this.documents.delete(this.key(collection, id));
  }

  deleteMany(collection: string, selection: Selection): string[] {
    this.budget.spend();
    const found = this.selected(collection, selection).slice(0, MAX_CHANGED);
    for (const { id } of found) this.documents.delete(`${collection}/${id}`);
    return found.map(({ id }) => id).sort();
  }

  count(collection: string, selection: Selection = {}): number {
    this.budget.spend();
    return this.selected(collection, selection).length;
  }

  query(collection: string, options: QueryOptions = {}): DocumentPage {
    const { limit = 100, orderBy = 'created_at', cursor = null } = options;
    this.budget.spend();
    assertLimit(limit, MAX_LIMIT);
    if (!/^-?[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(orderBy)) throw StoreErrors.orderInvalid();
    const after = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
    if (!Number.isSafeInteger(after) || after < 0) throw StoreErrors.cursorInvalid();
    const all = sorted(this.selected(collection, options), orderBy);
    const end = after + limit;
    const hasMore = end < all.length;
    return {
      data: all.slice(after, end),
      cursor: hasMore ? Buffer.from(String(end)).toString('base64url') : null,
      has_more: hasMore,
      total: all.length,
    };
  }

  private key(collection: string, id: string): string {
    this.budget.spend();
    assertCollection(collection);
    assertId(id);
    return `${collection}/${id}`;
  }

  private keep(key: string, document: StoredDocument): StoredDocument {
    this.documents.set(key, document);
    return document;
  }

  private changed(key: string, known: StoredDocument, changes: JsonObject): StoredDocument {
    const data = copyOf({ ...known.data, ...changes });
    return this.keep(key, { ...known, data, etag: randomUUID(), updated_at: new Date().toISOString() });
  }

  private selected(collection: string, { where = {}, ids }: Selection): StoredDocument[] {
    assertCollection(collection);
    if (ids && ids.length > MAX_IDS) throw StoreErrors.idsInvalid(MAX_IDS);
    ids?.forEach(assertId);
    const wanted = Object.entries(copyOf(where));
    return [...this.documents.values()].filter(
      (document) =>
        document.collection === collection &&
        (!ids || ids.includes(document.id)) &&
        wanted.every(([key, value]) => Object.hasOwn(document.data, key) && isDeepStrictEqual(document.data[key], value)),
    );
  }
}

/** What was written does not change when the run changes its value. */
function copyOf(data: Record<string, unknown>): Record<string, unknown> {
  const text = jsonObjectText(data);
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw StoreErrors.tooLarge();
  return JSON.parse(text) as Record<string, unknown>;
}

const COLUMNS = ['created_at', 'updated_at', 'id', 'user_id'] as const;

function sorted(documents: StoredDocument[], orderBy: string): StoredDocument[] {
  const isReversed = orderBy.startsWith('-');
  const field = isReversed ? orderBy.slice(1) : orderBy;
  const column = COLUMNS.find((name) => name === field);
  const positionOf = (document: StoredDocument): unknown =>
    column ? document[column] : Object.hasOwn(document.data, field) ? document.data[field] : null;
  const ordered = documents.map((document, at) => ({ document, position: positionOf(document), at }));
  // Ties go by the order of writing, as they do by the ids that the platform gives.
  ordered.sort((one, other) => (compared(one.position, other.position) || one.at - other.at) * (isReversed ? -1 : 1));
  return ordered.map(({ document }) => document);
}

/** As `jsonb` has it: null before texts, numbers, booleans, lists and maps. */
const RANKS = ['string', 'number', 'boolean', 'object'];
const rankOf = (value: unknown): number => (value === null ? -1 : RANKS.indexOf(typeof value));

function compared(one: unknown, other: unknown): number {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other);
  if (one === null || typeof one === 'object') return 0;
  return (one as string) < (other as string) ? -1 : Number((one as string) > (other as string));
}
