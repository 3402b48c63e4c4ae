import { Injectable } from '@nestjs/common';
import type { PurgeRequest, PurgeResponse } from '@platform/contracts';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';
import { DocumentStore } from '../kernel/store/document-store.js';

/**
 * Deletes stored data of apps: of users after they remove an app or delete their account, and all
 * data of deleted apps.
 */
@Injectable()
export class PurgesService {
  constructor(
    private readonly documents: DocumentStore,
    private readonly secrets: SecretVaultService,
  ) {}

  /**
   * Deletes up to 1,000 documents that were last changed before `changed_before`: of a user in an
   * app, of a user in all apps, or of a deleted app for all users. With `with_secrets` it deletes
   * all secrets of the same owner from before that time, too. Call it again while `has_more` is
   * true.
   */
  async purge({ app_id, user_id, tenant_id, changed_before, with_secrets }: PurgeRequest): Promise<PurgeResponse> {
    if (with_secrets) await this.secrets.deleteSecrets({ appId: app_id, identity: user_id }, changed_before);
    const { deleted, hasMore } = await this.documents.purgeDocuments(
      { tenantId: tenant_id, appId: app_id, userId: user_id },
      changed_before,
    );
    return { deleted, has_more: hasMore };
  }
}
