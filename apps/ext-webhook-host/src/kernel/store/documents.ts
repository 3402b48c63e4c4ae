import type { StoredDocument } from '@platform/extension-sdk/runtime';
import { columns, type RowOf } from '@platform/persistence';
import { Document } from './document.entity.js';

/**
 * Owner of documents: an app, for a user in a tenant. `userId` can be a system identity of the app.
 */
export interface StoreScope {
  tenantId: string;
  appId: string;
  userId: string;
  /** Documents that were changed later are not changed, and no search finds them. */
  changedUntil?: string;
}

/** An app in a tenant, for all users. */
export type AppScope = Pick<StoreScope, 'tenantId' | 'appId'>;

export const DOCUMENT_COLUMNS = columns(Document, ['id', 'userId', 'data', 'etag', 'createdAt', 'updatedAt']);
export type DocumentRow = RowOf<typeof DOCUMENT_COLUMNS>;

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
