import { shortenText } from '@platform/contracts/text-lengths';
import { LIMITS } from './limits.js';

export const FILTERS = ['default', 'count', 'format', 'json', 'lower', 'upper', 'trim'] as const;
export type Filter = (typeof FILTERS)[number];

/**
 * Names with which a template can begin everywhere. `transform.map` and `transform.filter`
 * additionally have `item` and `index`.
 */
export const TEMPLATE_ROOTS = ['event', 'args', 'steps', 'prev', 'user', 'tenant_id', 'app', 'now'] as const;
export const ITEM_ROOTS = ['item', 'index'] as const;

/**
 * An expression such as `{{ steps.note.doc.title | default: "none" | upper }}` or `{{
 * event.query_params["hub.challenge"] }}`.
 */
export interface Expression {
  /** Null: the expression is `literal`. */
  path: [root: string, ...keys: string[]] | null;
  literal: Literal;
  filters: { name: Filter; argument: Literal }[];
}
export type Literal = string | number | boolean | null;

/**
 * A plain text or an expression. An expression without text around it keeps the type of its value.
 */
export type TemplatePart = string | Expression;

export class TemplateError extends Error {}

/** True if the text is a single expression, which keeps the type of its value. */
export const isWhole = (parts: readonly TemplatePart[]): parts is [Expression] =>
  parts.length === 1 && typeof parts[0] === 'object';

/**
 * Splits a text into plain texts and expressions. A text without `{{` is the only part. The time is
 * proportional to the length.
 *
 * @throws TemplateError with a message for the developer, if an expression is not valid.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    if (open > at) parts.push(text.slice(at, open));
    const reader = new Reader(text, open + 2);
    parts.push(reader.expression());
    at = reader.at;
  }
  if (at < text.length || !parts.length) parts.push(text.slice(at));
  return parts;
}

const SPACE = /\s/;
const QUOTES = new Set(['"', "'"]);
const ENDS_KEY = /[\s.|:{}"']/;
const CONSTANTS: Readonly<Record<string, Literal>> = { true: true, false: false, null: null };

function pathKey(key: string): string {
  if (key === '__proto__') throw new TemplateError(`"${key}" cannot be part of a path.`);
  return key;
}

/** Reads the text between `{{` and `}}`. */
class Reader {
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  expression(): Expression {
    this.skipSpace();
    const expression: Expression = { path: null, literal: null, filters: [] };
    if (QUOTES.has(this.next)) expression.literal = this.quoted();
    else expression.path = this.path();
    this.skipSpace();
    while (this.take('|')) expression.filters.push(this.filter());
    if (!this.take('}}')) throw this.unexpected('"}}"');
    return expression;
  }

  private path(): [string, ...string[]] {
    const path: [string, ...string[]] = [this.key()];
    for (;;) {
      if (this.take('.')) path.push(this.key());
      else if (this.atQuotedKey) path.push(this.quotedKey());
      else break;
    }
    if (path.length > LIMITS.templatePath)
      throw new TemplateError(`A path may have at most ${LIMITS.templatePath} parts.`);
    return path;
  }

  private key(): string {
    const from = this.at;
    while (this.at < this.text.length && !ENDS_KEY.test(this.next) && !this.atQuotedKey) this.at++;
    const key = this.text.slice(from, this.at);
    if (!key) throw this.unexpected('a name');
    return pathKey(key);
  }

  /**
   * True at the beginning of a quoted name such as `["hub.challenge"]`, which can have any
   * characters. A bracket without a quote is part of a name.
   */
  private get atQuotedKey(): boolean {
    return this.next === '[' && QUOTES.has(this.text.charAt(this.at + 1));
  }

  private quotedKey(): string {
    this.at++;
    const key = this.quoted();
    if (!this.take(']')) throw this.unexpected('"]"');
    return pathKey(key);
  }

  private filter(): Expression['filters'][number] {
    this.skipSpace();
    const word = this.key();
    const name = FILTERS.find((known) => known === word);
    if (!name)
      throw new TemplateError(`There is no filter "${shortenText(word, 40)}". Known filters: ${FILTERS.join(', ')}.`);
    this.skipSpace();
    const argument = this.take(':') ? this.argument() : null;
    this.skipSpace();
    return { name, argument };
  }

  private argument(): Literal {
    this.skipSpace();
    if (QUOTES.has(this.next)) return this.quoted();
    const from = this.at;
    while (this.at < this.text.length && !/[\s|}]/.test(this.next)) this.at++;
    const word = this.text.slice(from, this.at);
    if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word] as Literal;
    if (/^-?\d{1,15}(\.\d{1,15})?$/.test(word)) return Number(word);
    throw new TemplateError('An argument must be a quoted text, a number, true, false or null.');
  }

  private quoted(): string {
    const end = this.text.indexOf(this.next, this.at + 1);
    if (end < 0) throw new TemplateError('A quoted text has no end.');
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  private get next(): string {
    return this.text.charAt(this.at);
  }

  private take(token: string): boolean {
    const found = this.text.startsWith(token, this.at);
    if (found) this.at += token.length;
    return found;
  }

  private skipSpace(): void {
    while (SPACE.test(this.next)) this.at++;
  }

  private unexpected(wanted: string): TemplateError {
    return new TemplateError(
      this.next ? `Expected ${wanted} before "${this.text.slice(this.at, this.at + 10)}".` : `Expected ${wanted}.`,
    );
  }
}
