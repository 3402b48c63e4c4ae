import type { AppDocument, JsonValue } from './document.js';
import { readDocument } from './document-reader.js';
import { IssueList, type DocumentIssue } from './issues.js';
import { copyOfJson, isObject, nameOfType } from './json.js';
import { DocumentModules, type SentModules } from './modules/document-modules.js';
import { readEnvelope, readSimple, type SentDocument } from './sent-document.js';

export type ParseResult =
  | { ok: true; document: AppDocument; /** Possible mistakes in a valid document. */ warnings: DocumentIssue[] }
  | { ok: false; issues: DocumentIssue[] };

export interface ParseOptions {
  /** App id that the document must have. */
  appId?: string;
}

/**
 * Reads a document in the simple form, the envelope form or the canonical form; returns its
 * canonical form, or all issues. A canonical document is returned unchanged. It never throws, takes
 * milliseconds for every input (at most a second with modules) and reports up to 100 issues at
 * once. It does not change `value`.
 */
export function parseAppDocument(value: unknown, options: ParseOptions = {}): ParseResult {
  const issues = new IssueList();
  const warnings = new IssueList();
  const { rest, modules: sentModules } = takeModules(value);
  const copy = copyOfJson(rest, issues);
  const sent = copy === undefined ? undefined : readForm(copy, issues);
  const modules = new DocumentModules(sentModules, issues);
  const read = sent && readDocument(sent, modules, options.appId, issues, warnings);
  if (!read || issues.count) return { ok: false, issues: issues.all() };
  // Checks that the canonical form is valid input again, because stored documents are parsed again.
  const document = copyOfJson(read, new IssueList()) as AppDocument | undefined;
  if (!document) {
    const message = 'With all default values filled in, the document is too large or too deeply nested.';
    return { ok: false, issues: [{ pointer: '', rule: 'document_size', message }] };
  }
  if (Object.keys(modules.canonical).length) document.app.modules = modules.canonical;
  return { ok: true, document, warnings: warnings.all() };
}

/**
 * Separates the modules of a document, in either form, from the rest. Modules have their own limits
 * and do not count toward the other limits.
 */
function takeModules(value: unknown): { rest: unknown; modules?: SentModules } {
  if (!isObject(value)) return { rest: value };
  const { app } = value;
  if (isObject(app) && Object.hasOwn(app, 'modules')) {
    const { modules, ...rest } = app;
    return { rest: { ...value, app: rest }, modules: { value: modules, pointer: '/app/modules' } };
  }
  if (app !== undefined || !Object.hasOwn(value, 'modules')) return { rest: value };
  const { modules, ...rest } = value;
  return { rest, modules: { value: modules, pointer: '/modules' } };
}

function readForm(root: JsonValue, issues: IssueList): SentDocument | undefined {
  if (!isObject(root)) {
    issues.add('', 'form', `A document must be an object, but this is ${nameOfType(root)}.`);
    return undefined;
  }
  const [isEnvelope, isSimple] = [Object.hasOwn(root, 'app'), Object.hasOwn(root, 'steps')];
  if (isEnvelope === isSimple) {
    issues.add(
      '',
      'form',
      `A document must have ${isSimple ? 'only one of' : 'either'} "app" (envelope form) ${isSimple ? 'and' : 'or'} "steps" (simple form).`,
    );
    return undefined;
  }
  return isEnvelope ? readEnvelope(root, issues) : readSimple(root, issues);
}
