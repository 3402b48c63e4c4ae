import type { DocumentIssue } from '@platform/app-document';
import { issueLines, type CheckedFile } from '../app-document/document-file.js';
import { printable } from '../text/printable.js';
import type { DeployRefused } from './deploy-document.js';

/** Reasons for a refused deploy. A newer platform can find issues that the local check did not. */
export function refusalLines({ message, answer }: DeployRefused, file: string, locate: CheckedFile['locate']): string[] {
  const { issues } = (answer.data ?? {}) as { issues?: DocumentIssue[] };
  if (!issues) return [printable(message)];
  return [...issueLines(file, issues.map(locate)), 'The platform refused the document. Nothing was deployed.'];
}
