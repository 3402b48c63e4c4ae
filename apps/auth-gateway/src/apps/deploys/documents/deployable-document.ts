import type { CheckedDocument, DocumentIssue } from '@platform/app-document';
import { ValidationFailed } from '@platform/platform';
import type { NewVersion } from '../versions/versions.js';

export interface DeployableDocument extends NewVersion {
  /** Notes on parts that are valid but probably not intended. */
  warnings: string[];
}

/** The parts of a checked document that are stored as a version, and its warnings as text. */
export const toDeployableDocument = ({
  json,
  sha256,
  manifest,
  version,
  hosts,
  capabilities,
  warnings,
}: CheckedDocument): DeployableDocument => ({
  version,
  document: json,
  manifest,
  sha256: Buffer.from(sha256, 'hex'),
  hosts,
  capabilities,
  warnings: warnings.map(formatIssue),
});

/**
 * Error 422 with all issues of a document in a request body, each with its location below
 * `ir_dict`.
 */
export const documentRefusedError = (issues: DocumentIssue[]): ValidationFailed =>
  new ValidationFailed(
    issues.map(({ pointer, rule, message }) => ({
      loc: ['body', 'ir_dict', ...pathOf(pointer)],
      msg: message,
      type: rule,
    })),
  );

/** Location and message of an issue as one text. */
export const formatIssue = ({ pointer, message }: DocumentIssue): string =>
  pointer ? `${pointer}: ${message}` : message;

/** Path of a JSON pointer (RFC 6901). */
const pathOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
