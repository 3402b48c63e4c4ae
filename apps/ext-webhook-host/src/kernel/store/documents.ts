import type { StoredDocument } from '@platform/extension-sdk/runtime';

/** Whose documents: an app's, of a user in a tenant. `userId` may be a system identity of the app. */
export interface StoreScope {
  tenantId: string;
  appId: string;
  userId: string;
  /** What was changed later is not changed, and found by no search. */
  changedUntil?: string;
}

/** An app in a tenant, whoever of its users. */
export type AppScope = Pick<StoreScope, 'tenantId' | 'appId'>;

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
