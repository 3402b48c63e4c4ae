import { parseAppDocument, type AppDocument, type DocumentIssue } from '@platform/app-document';
import { ValidationFailed } from '@platform/platform';

export interface GoodDocument {
  document: AppDocument;
  /** What is not wrong, but perhaps not meant. */
  warnings: string[];
}

/** @throws ValidationFailed with everything that is wrong, each at its place. */
export function parseSentDocument(sent: unknown, appId: string): GoodDocument {
  const result = parseAppDocument(sent, { appId });
  if (!result.ok) {
    throw new ValidationFailed(
      result.issues.map(({ pointer, rule, message }) => ({ loc: ['body', 'ir_dict', ...pathOf(pointer)], msg: message, type: rule })),
    );
  }
  return { document: result.document, warnings: result.warnings.map(inWords) };
}

/** For a text that a person reads: the place, and what is the matter. */
export const inWords = ({ pointer, message }: DocumentIssue): string => (pointer ? `${pointer}: ${message}` : message);

/** RFC 6901. */
const pathOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
