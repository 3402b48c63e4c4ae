import { Inject, Injectable } from '@nestjs/common';
import type { PurgeRequest, PurgeResponse } from '@platform/contracts';
import { SecretVault } from '../secrets/secret-vault.service.js';
import { DocumentStore } from './document-store.service.js';

/** Deletes what apps keep for users who have removed them. */
@Injectable()
export class Purges {
  constructor(
    @Inject(DocumentStore) private readonly documents: DocumentStore,
    @Inject(SecretVault) private readonly secrets: SecretVault,
  ) {}

  /** A part of it; again it goes on. */
  async purge(appId: string, { user_id, tenant_id, created_before, with_secrets }: PurgeRequest): Promise<PurgeResponse> {
    if (with_secrets) await this.secrets.deleteAll({ appId, identity: user_id }, created_before);
    const { deleted, hasMore } = await this.documents.purge({ tenantId: tenant_id, appId, userId: user_id }, created_before);
    return { deleted, has_more: hasMore };
  }
}
