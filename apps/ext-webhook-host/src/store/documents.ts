import { isStorable } from '../json-text.js';
import { StoreErrors } from './store.errors.js';

/** Whose documents: an app's, of a user in a tenant. `userId` may be a system identity of the app. */
export interface StoreScope {
  tenantId: string;
  appId: string;
  userId: string;
}

/** An app in a tenant, whoever of its users. */
export type AppScope = Omit<StoreScope, 'userId'>;

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

export interface DocumentRow {
  id: string;
  user_id: string;
  data: Record<string, unknown>;
  etag: string;
  created_at: Date;
  updated_at: Date;
}

/** The columns of a `DocumentRow`. */
export const DOCUMENT_COLUMNS = 'id, user_id, data, etag, created_at, updated_at';

export const toDocument = (
  { tenantId, appId }: AppScope,
  collection: string,
  { id, user_id, data, etag, created_at, updated_at }: DocumentRow,
): StoredDocument => ({
  id,
  collection,
  data,
  extension_id: appId,
  tenant_id: tenantId,
  user_id,
  etag,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

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
