import type { AppDocument, JsonValue } from './document.js';
import { readDocument } from './document-reader.js';
import { IssueList, type DocumentIssue } from './issues.js';
import { copyOfJson, isObject, nameOfType } from './json.js';
import { readEnvelope, readSimple, type SentDocument } from './sent-document.js';

export type ParseResult =
  | { ok: true; document: AppDocument; /** What is not wrong, but perhaps not meant. */ warnings: DocumentIssue[] }
  | { ok: false; issues: DocumentIssue[] };

export interface ParseOptions {
  /** The app that the document must be of. */
  appId?: string;
}

/**
 * Reads a document in the simple form, in the envelope form, or in its canonical one, which comes out as it went in. Never throws, takes
 * milliseconds whatever was sent, and reports everything at once. `value` stays as it is.
 */
export function parseAppDocument(value: unknown, options: ParseOptions = {}): ParseResult {
  const issues = new IssueList();
  const warnings = new IssueList();
  const copy = copyOfJson(value, issues);
  const sent = copy === undefined ? undefined : readForm(copy, issues);
  const read = sent && readDocument(sent, options.appId, issues, warnings);
  if (!read || issues.count) return { ok: false, issues: issues.all() };
  // What is taken is taken again.
  const document = copyOfJson(read, new IssueList()) as AppDocument | undefined;
  if (!document) {
    const message = 'With all that is left to defaults spelled out, the document is too large or too deeply nested.';
    return { ok: false, issues: [{ pointer: '', rule: 'document_size', message }] };
  }
  return { ok: true, document, warnings: warnings.all() };
}

function readForm(root: JsonValue, issues: IssueList): SentDocument | undefined {
  if (!isObject(root)) {
    issues.add('', 'form', `A document is an object, but this is ${nameOfType(root)}.`);
    return undefined;
  }
  const [isEnvelope, isSimple] = [Object.hasOwn(root, 'app'), Object.hasOwn(root, 'steps')];
  if (isEnvelope === isSimple) {
    issues.add(
      '',
      'form',
      `A document has ${isSimple ? 'only one of' : 'either'} "app", the envelope form, ${isSimple ? 'and' : 'or'} "steps", the simple form.`,
    );
    return undefined;
  }
  return isEnvelope ? readEnvelope(root, issues) : readSimple(root, issues);
}
