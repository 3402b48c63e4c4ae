import { isStorable } from './json-text.js';
import { StoreErrors } from './store.errors.js';

/** Largest size of one document as JSON. */
export const MAX_DOCUMENT_BYTES = 262_144;
export const MAX_IDS = 1_000;
export const MAX_LIMIT = 1_000;
export const MAX_SYSTEM_LIMIT = 10_000;
/** Most documents that one change by selection affects. */
export const MAX_CHANGED = 1_000;

/** A document as an app sees it. */
export interface StoredDocument {
  id: string;
  collection: string;
  data: Record<string, unknown>;
  extension_id: string;
  tenant_id: string;
  user_id: string;
  etag: string;
  created_at: string;
  updated_at: string;
}

export interface DocumentPage {
  data: StoredDocument[];
  /** Cursor of the next page; null on the last page. */
  cursor: string | null;
  has_more: boolean;
  /** Number of matching documents on all pages, counted for this page. */
  total: number;
}

/** Conditions that documents of a collection must meet. Without conditions, all documents match. */
export interface Selection {
  /**
   * Fields that must have exactly these JSON values. Null matches a field that is null, not a
   * missing field.
   */
  where?: Record<string, unknown>;
  /** At most 1000. */
  ids?: readonly string[];
}

export interface QueryOptions extends Selection {
  /** From 1 to 1000, 100 by default. A page of large documents can have fewer. */
  limit?: number;
  /**
   * Sort key: `created_at` (default), `updated_at`, `id`, or a field of the data, where a missing
   * field counts as null. A `-` in front reverses the order.
   */
  orderBy?: string;
  /** The cursor of the previous page of the same list in the same order. */
  cursor?: string | null;
}

export interface SystemListOptions {
  /** From 1 to 10,000; 1000 by default. */
  limit?: number;
  cursor?: string | null;
}

export interface UserPage {
  data: string[];
  /** Cursor of the next page; null on the last page. */
  cursor: string | null;
  has_more: boolean;
}

const COLLECTION = /^[^:*?[\]/\s\p{Cc}]{1,64}$/u;
const ID = /^[^/\p{Cc}]{1,128}$/u;

export function assertCollection(name: string): void {
  if (typeof name !== 'string' || !COLLECTION.test(name) || !isStorable(name)) throw StoreErrors.collectionInvalid();
}

export function assertId(id: string): void {
  if (typeof id !== 'string' || !ID.test(id) || !isStorable(id)) throw StoreErrors.idInvalid();
}

export function assertLimit(limit: number, max: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > max) throw StoreErrors.limitInvalid(max);
}
