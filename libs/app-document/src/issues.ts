import { shortenText } from '@platform/contracts/text-lengths';
import { LIMITS } from './limits.js';
import { didYouMean, type NearMiss } from '@platform/contracts/did-you-mean';

export const ISSUE_RULES = [
  'json',
  'document_size',
  'form',
  'required',
  'unknown_key',
  'type',
  'value',
  'too_many',
  'unknown_operation',
  'misplaced_declaration',
  'nesting',
  'duplicate',
  'unknown_step',
  'unknown_function',
  'unknown_secret',
  'unknown_param',
  'unknown_module',
  'unknown_export',
  'syntax',
  'reserved_name',
  'event_prefix',
  'app_id_mismatch',
  'cron',
  'template',
  'condition',
  'json_schema',
] as const;
export type IssueRule = (typeof ISSUE_RULES)[number];

/** A problem of a document, or a warning for its developer. */
export interface DocumentIssue {
  /**
   * JSON pointer (RFC 6901) into the sent document. For a missing key: the place where it belongs.
   */
  pointer: string;
  rule: IssueRule;
  /** A sentence for the developer. */
  message: string;
}

/** Keeps the first 100 issues. A hostile document can have one for each of its bytes. */
export class IssueList {
  private readonly kept: DocumentIssue[] = [];
  private dropped = 0;

  get count(): number {
    return this.kept.length + this.dropped;
  }

  /**
   * Adds an issue. With `near`, the message ends with the nearest known name; this is computed only
   * for issues that are kept, because it takes time.
   */
  add(pointer: string, rule: IssueRule, message: string, near?: NearMiss): void {
    if (this.kept.length < LIMITS.issues)
      this.kept.push({ pointer, rule, message: near ? `${message}${didYouMean(near)}` : message });
    else this.dropped++;
  }

  all(): DocumentIssue[] {
    if (!this.dropped) return this.kept;
    return [...this.kept, { pointer: '', rule: 'too_many', message: `There are ${this.dropped} more issues.` }];
  }
}

/** Appends keys to a JSON pointer. */
export function within(pointer: string, ...path: (string | number)[]): string {
  for (const key of path) pointer += `/${typeof key === 'string' ? escaped(key) : key}`;
  return pointer;
}

const escaped = (key: string): string => (/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key);

const LONGEST_QUOTE = 60;

/**
 * A text of the document as messages show it: in quotation marks, and shortened to 60 characters.
 */
export const quote = (text: string): string => JSON.stringify(shortenText(text, LONGEST_QUOTE));

export const listOf = (texts: readonly string[]): string => texts.map(quote).join(', ');
