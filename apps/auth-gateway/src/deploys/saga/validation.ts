import { documentHash, parseAppDocument } from '@platform/app-document';
import { inWords } from '../sent-document.js';
import type { DeployWork } from './deploy-states.js';

/**
 * Why a stored version cannot be deployed, for the developer, or null. It was good when it was stored; an old one is held against the
 * rules of today.
 */
export function problemOf({ document, sha256, version, app_id: appId }: DeployWork): string | null {
  if (!document) return null;
  if (documentHash(document) !== sha256.toString('hex')) return `The stored document of version ${version} is damaged.`;
  const result = parseAppDocument(document, { appId });
  return result.ok ? null : `Version ${version} does not pass the checks any more: ${result.issues.map(inWords).join(' ')}`;
}
