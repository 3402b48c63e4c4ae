import { isStorable } from './json-text.js';
import { StoreErrors } from './store.errors.js';

/** Of one document, as JSON. */
export const MAX_DOCUMENT_BYTES = 262_144;
export const MAX_IDS = 1_000;
export const MAX_LIMIT = 1_000;
export const MAX_SYSTEM_LIMIT = 10_000;
/** How many documents a change by selection reaches at once. */
export const MAX_CHANGED = 1_000;

/** As an app sees it. */
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
  /** For the next page; null on the last. */
  cursor: string | null;
  has_more: boolean;
  /** Of all pages, at the time of this one. */
  total: number;
}

/** Which documents of a collection; without either, all of them. */
export interface Selection {
  /** Fields that must be equal, as JSON is: a list to the same list, null to a null that is there. */
  where?: Record<string, unknown>;
  /** At most 1000. */
  ids?: readonly string[];
}

export interface QueryOptions extends Selection {
  /** From 1 to 1000; 100 unless told. A page has fewer documents where they are large. */
  limit?: number;
  /** `created_at` (unless told), `updated_at`, `id`, or a field of the data, in which a missing field counts as null. `-` reverses. */
  orderBy?: string;
  /** Of the page before, of the same list in the same order. */
  cursor?: string | null;
}

export interface SystemListOptions {
  /** From 1 to 10 000; 1000 unless told. */
  limit?: number;
  cursor?: string | null;
}

export interface UserPage {
  data: string[];
  /** For the next page; null on the last. */
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
