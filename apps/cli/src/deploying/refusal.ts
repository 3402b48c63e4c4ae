import type { DocumentIssue } from '@platform/app-document';
import { issueLines, type CheckedFile } from '../app-document/document-file.js';
import { printable } from '../text/printable.js';
import type { DeployRefused } from './deploy-document.js';

/**
 * Returns the reasons for a refused deploy, one per line. The platform can find issues that the
 * local check did not, for example because it is newer.
 */
export function refusalLines(
  { message, answer }: DeployRefused,
  file: string,
  locate: CheckedFile['locate'],
): string[] {
  const { issues } = (answer.data ?? {}) as { issues?: DocumentIssue[] };
  if (!issues) return [printable(message)];
  return [...issueLines(file, issues.map(locate)), 'The platform refused the document. Nothing was deployed.'];
}
