import type { DeployStatus } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../../kernel/events/publish-event.js';

export interface ChangedDeploy {
  deploy_id: string;
  app_id: string;
  version: string | null;
  status: DeployStatus;
  error_message: string;
  developer_id: string;
  tenant_id: string;
}

/**
 * Publishes the event `deploy.changed` to the developers of these deploys, in the transaction that
 * changed them. Returns the deploys whose app has a developer, oldest first.
 */
export async function publishDeployChanges(em: EntityManager, deployIds: readonly string[]): Promise<ChangedDeploy[]> {
  if (!deployIds.length) return [];
  const deploys = await em.query<ChangedDeploy[]>(
    `SELECT d.deploy_id, d.app_id, d.version, d.status, d.error_message, a.developer_id, u.tenant_id
     FROM deploys d JOIN apps a ON a.app_id = d.app_id JOIN users u ON u.id = a.developer_id WHERE d.deploy_id = ANY ($1) ORDER BY d.number`,
    [deployIds],
  );
  for (const { developer_id: userId, tenant_id: tenantId, ...data } of deploys) {
    await publishEvent(em, { type: 'deploy.changed', tenantId, userId, data });
  }
  return deploys;
}
