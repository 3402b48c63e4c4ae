import type { CheckedDocument, DocumentIssue } from '@platform/app-document';
import { ValidationFailed } from '@platform/platform';
import type { NewVersion } from '../versions/versions.js';

export interface GoodDocument extends NewVersion {
  /** What is not wrong, but perhaps not meant. */
  warnings: string[];
}

export const goodDocument = ({ json, sha256, manifest, version, hosts, capabilities, warnings }: CheckedDocument): GoodDocument => ({
  version,
  document: json,
  manifest,
  sha256: Buffer.from(sha256, 'hex'),
  hosts,
  capabilities,
  warnings: warnings.map(inWords),
});

/** Everything that is wrong with a document in a body, each at its place. */
export const documentRefused = (issues: DocumentIssue[]): ValidationFailed =>
  new ValidationFailed(
    issues.map(({ pointer, rule, message }) => ({ loc: ['body', 'ir_dict', ...pathOf(pointer)], msg: message, type: rule })),
  );

/** For a text that a person reads: the place, and what is the matter. */
export const inWords = ({ pointer, message }: DocumentIssue): string => (pointer ? `${pointer}: ${message}` : message);

/** RFC 6901. */
const pathOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
