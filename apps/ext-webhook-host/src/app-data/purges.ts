import { Injectable } from '@nestjs/common';
import type { PurgeRequest, PurgeResponse } from '@platform/contracts';
import { SecretVault } from '../kernel/secrets/secret-vault.service.js';
import { DocumentStore } from '../kernel/store/document-store.service.js';

/** Deletes what apps keep for users who have removed them or were erased, and all that deleted apps keep. */
@Injectable()
export class Purges {
  constructor(
    private readonly documents: DocumentStore,
    private readonly secrets: SecretVault,
  ) {}

  /** A part of it; again it goes on. */
  async purge({ app_id, user_id, tenant_id, changed_before, with_secrets }: PurgeRequest): Promise<PurgeResponse> {
    if (with_secrets) await this.secrets.deleteAll({ appId: app_id, identity: user_id }, changed_before);
    const { deleted, hasMore } = await this.documents.purge({ tenantId: tenant_id, appId: app_id, userId: user_id }, changed_before);
    return { deleted, has_more: hasMore };
  }
}
