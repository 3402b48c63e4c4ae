import type { JsonObject } from '@platform/app-document';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  assertCollection,
  assertId,
  assertLimit,
  MAX_CHANGED,
  MAX_DOCUMENT_BYTES,
  MAX_IDS,
  MAX_LIMIT,
  MAX_SYSTEM_LIMIT,
  type DocumentPage,
  type QueryOptions,
  type Selection,
  type StoredDocument,
  type SystemListOptions,
  type UserPage,
} from '../documents.js';
import { jsonObjectText } from '../json-text.js';
import type { Budget } from '../run-limits.js';
import { StoreErrors } from '../store.errors.js';

const MAX_DOCUMENTS = 10_000;

export interface MemoryOwner {
  appId: string;
  tenantId: string;
  userId: string;
}

/** Documents of all users of an app. */
export class MemoryDocuments {
  readonly all = new Map<string, StoredDocument>();
  private created = 0;

  /** Creates the id of a new document. Ids sort by the order of creation, as on the platform. */
  newId(): string {
    return `doc_${String(++this.created).padStart(26, '0')}`;
  }
}

/**
 * Implements `ctx.store` for one user, in memory. Throws the same ExtensionErrors as the platform.
 * Texts sort by code unit.
 */
export class MemoryStore {
  constructor(
    private readonly documents: MemoryDocuments,
    private readonly owner: MemoryOwner,
    private readonly operations: Budget,
  ) {}

  create(collection: string, data: JsonObject): StoredDocument {
    return this.put(collection, this.documents.newId(), data);
  }

  set(path: string, data: JsonObject): StoredDocument {
    const [collection = '', id = '', ...rest] = path.split('/');
    if (rest.length) throw StoreErrors.idInvalid();
    return this.put(collection, id, data);
  }

  get(collection: string, id: string): StoredDocument | null {
    return this.documents.all.get(this.key(collection, id)) ?? null;
  }

  update(collection: string, id: string, changes: JsonObject, ifMatch?: string): StoredDocument {
    const known = this.documents.all.get(this.key(collection, id));
    const added = copyOf(changes);
    if (!known) throw StoreErrors.notFound();
    if (ifMatch !== undefined && ifMatch !== known.etag) throw StoreErrors.conflict(known.etag);
    return this.changed(known, added);
  }

  updateMany(collection: string, selection: Selection, changes: JsonObject): string[] {
    this.operations.spend();
    const added = copyOf(changes);
    return this.chosen(collection, selection).map((document) => this.changed(document, added).id);
  }

  delete(collection: string, id: string): boolean {
    return this.documents.all.delete(this.key(collection, id));
  }

  deleteMany(collection: string, selection: Selection): string[] {
    this.operations.spend();
    const chosen = this.chosen(collection, selection);
    for (const { id } of chosen) this.documents.all.delete(this.place(collection, id));
    return chosen.map(({ id }) => id);
  }

  count(collection: string, selection: Selection = {}): number {
    this.operations.spend();
    return this.selected(collection, selection).length;
  }

  query(collection: string, options: QueryOptions = {}): DocumentPage {
    const { limit = 100, orderBy = 'created_at', cursor = null } = options;
    this.operations.spend();
    assertLimit(limit, MAX_LIMIT);
    if (!/^-?[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(orderBy)) throw StoreErrors.orderInvalid();
    return pageOf(sorted(this.selected(collection, options), orderBy), limit, orderBy, cursor);
  }

  listUsers(collection: string, { limit = 1_000, cursor = null }: SystemListOptions = {}): UserPage {
    this.operations.spend();
    assertLimit(limit, MAX_SYSTEM_LIMIT);
    const users = [...new Set(this.inCollection(collection).map(({ user_id }) => user_id))].sort();
    const { data, cursor: next, has_more } = pageOf(users, limit, 'users', cursor);
    return { data, cursor: next, has_more };
  }

  queryAll(collection: string, { limit = 1_000, cursor = null }: SystemListOptions = {}): DocumentPage {
    this.operations.spend();
    assertLimit(limit, MAX_SYSTEM_LIMIT);
    return pageOf(sorted(this.inCollection(collection), 'user_id'), limit, 'user_id', cursor);
  }

  private put(collection: string, id: string, data: JsonObject): StoredDocument {
    const key = this.key(collection, id);
    const known = this.documents.all.get(key);
    const copy = copyOf(data);
    if (!known && this.documents.all.size >= MAX_DOCUMENTS) throw StoreErrors.full();
    const now = new Date().toISOString();
    return this.keep({
      id,
      collection,
      data: copy,
      extension_id: this.owner.appId,
      tenant_id: this.owner.tenantId,
      user_id: this.owner.userId,
      etag: randomUUID(),
      created_at: known?.created_at ?? now,
      updated_at: now,
    });
  }

  private changed(known: StoredDocument, changes: Record<string, unknown>): StoredDocument {
    const data = copyOf({ ...known.data, ...changes });
    return this.keep({ ...known, data, etag: randomUUID(), updated_at: new Date().toISOString() });
  }

  private keep(document: StoredDocument): StoredDocument {
    this.documents.all.set(this.place(document.collection, document.id), document);
    return document;
  }

  private key(collection: string, id: string): string {
    this.operations.spend();
    assertCollection(collection);
    assertId(id);
    return this.place(collection, id);
  }

  private place(collection: string, id: string): string {
    return `${this.owner.userId}/${collection}/${id}`;
  }

  private inCollection(collection: string): StoredDocument[] {
    assertCollection(collection);
    return [...this.documents.all.values()].filter((document) => document.collection === collection);
  }

  private selected(collection: string, { where = {}, ids }: Selection): StoredDocument[] {
    const own = this.inCollection(collection).filter(({ user_id }) => user_id === this.owner.userId);
    const wanted = Object.entries(JSON.parse(jsonObjectText(where)) as JsonObject);
    if (ids && (!Array.isArray(ids) || ids.length > MAX_IDS)) throw StoreErrors.idsInvalid(MAX_IDS);
    ids?.forEach(assertId);
    return own.filter(
      ({ id, data }) =>
        (!ids || ids.includes(id)) &&
        wanted.every(([key, value]) => Object.hasOwn(data, key) && isDeepStrictEqual(data[key], value)),
    );
  }

  /** Documents that a change by selection affects: the first 1000 that match, ordered by id. */
  private chosen(collection: string, selection: Selection): StoredDocument[] {
    return sorted(this.selected(collection, selection), 'id').slice(0, MAX_CHANGED);
  }
}

/**
 * Returns a copy of a document's data, so that later changes of the value by the run do not change
 * the stored document.
 *
 * @throws ExtensionError JSON_INVALID if it is no object that JSON can represent,
 * STORE_DOCUMENT_TOO_LARGE above 256 KiB.
 */
function copyOf(data: Record<string, unknown>): Record<string, unknown> {
  const text = jsonObjectText(data);
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw StoreErrors.tooLarge();
  return JSON.parse(text) as Record<string, unknown>;
}

interface Page<Item> {
  data: Item[];
  cursor: string | null;
  has_more: boolean;
  total: number;
}

function pageOf<Item>(all: Item[], limit: number, order: string, cursor: string | null): Page<Item> {
  const after = cursor === null ? 0 : positionIn(cursor, order);
  const end = after + limit;
  const hasMore = end < all.length;
  const next = hasMore ? Buffer.from(JSON.stringify([order, end])).toString('base64url') : null;
  return { data: all.slice(after, end), cursor: next, has_more: hasMore, total: all.length };
}

function positionIn(cursor: string, wanted: string): number {
  try {
    const [order, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (order === wanted && Number.isSafeInteger(position)) return position as number;
  } catch {
    // Reported below.
  }
  throw StoreErrors.cursorInvalid();
}

const COLUMNS = ['created_at', 'updated_at', 'id', 'user_id'] as const;

function sorted(documents: StoredDocument[], orderBy: string): StoredDocument[] {
  const isReversed = orderBy.startsWith('-');
  const field = isReversed ? orderBy.slice(1) : orderBy;
  const column = COLUMNS.find((name) => name === field);
  const positionOf = (document: StoredDocument): unknown =>
    column ? document[column] : Object.hasOwn(document.data, field) ? document.data[field] : null;
  const ordered = documents.map((document) => ({ document, position: positionOf(document) }));
  ordered.sort((one, other) => {
    const order = compared(one.position, other.position) || compared(one.document.id, other.document.id);
    return isReversed ? -order : order;
  });
  return ordered.map(({ document }) => document);
}

/**
 * Order of types in PostgreSQL's `jsonb`: null, texts, numbers, booleans, then lists and objects.
 */
const RANKS = ['string', 'number', 'boolean', 'object'];
const rankOf = (value: unknown): number => (value === null ? -1 : RANKS.indexOf(typeof value));

function compared(one: unknown, other: unknown): number {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other);
  if (one === null || typeof one === 'object') return 0;
  return (one as string) < (other as string) ? -1 : Number((one as string) > (other as string));
}
