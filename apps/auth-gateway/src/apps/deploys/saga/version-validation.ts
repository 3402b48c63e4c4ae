import type { DocumentCheckService } from '../documents/document-check.service.js';
import { formatIssue } from '../documents/deployable-document.js';
import type { DeployWork } from './deploy-states.service.js';

/**
 * Checks a stored version again before its deploy: it was valid when it was stored, but the rules
 * may have changed since. Returns the reason why it cannot be deployed, for the developer; null if
 * it can, or has no document to check.
 */
export async function findVersionProblem(checker: DocumentCheckService, work: DeployWork): Promise<string | null> {
  const { document, sha256, version, app_id: appId, requested_by: requestedBy } = work;
  if (!document) return null;
  const json = JSON.stringify(document);
  const result = await checker.verifyStoredDocument(`deploys of ${requestedBy}`, {
    json,
    appId,
    sha256: sha256.toString('hex'),
  });
  if (result.ok) return null;
  if (!result.issues) return `The stored document of version ${version} is damaged.`;
  return `Version ${version} does not pass the checks any more: ${result.issues.map(formatIssue).join(' ')}`;
}
