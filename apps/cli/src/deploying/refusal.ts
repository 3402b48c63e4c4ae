import type { DocumentIssue } from '@platform/app-document';
import { issueLines, type CheckedFile } from '../app-document/document-file.js';
import { printable } from '../text/printable.js';
import type { DeployRefused } from './deploy-document.js';

/** Why it was refused. A platform that knows more than this command may find issues that it did not. */
export function refusalLines({ message, answer }: DeployRefused, file: string, locate: CheckedFile['locate']): string[] {
  const { issues } = (answer.data ?? {}) as { issues?: DocumentIssue[] };
  if (!issues) return [printable(message)];
  return [...issueLines(file, issues.map(locate)), 'The platform refused the document. Nothing was deployed.'];
}
