import type { JsonValue } from './document.js';
import { listOf, quote, within, type IssueList } from './issues.js';
import { isObject } from './json.js';
import { parseTemplate, TemplateError, type TemplatePart } from './templates.js';

/** Checks the templates in a value. */
export class TemplateCheck {
  private readonly path: (string | number)[] = [];

  /**
   * `mention` is called for each step id that a template reads. `params`: all parameters of the
   * function; null if they are not known.
   */
  constructor(
    private readonly issues: IssueList,
    private readonly mention: (stepId: string, pointer: string) => void = () => undefined,
    private readonly params: readonly string[] | null = null,
  ) {}

  /**
   * Adds an issue for each template in a value, at any depth, that is invalid or begins with none
   * of `roots`. Null: any root is allowed.
   */
  check(value: JsonValue, pointer: string, roots: readonly string[] | null): void {
    if (typeof value === 'string') this.checkText(value, pointer, roots);
    else if (Array.isArray(value)) for (const [at, item] of value.entries()) this.checkWithin(at, item, pointer, roots);
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.checkWithin(key, item, pointer, roots && key === '$repeat' ? [...roots, ...nameOfRepeated(item)] : roots);
      }
    }
  }

  private checkWithin(key: string | number, value: JsonValue, pointer: string, roots: readonly string[] | null): void {
    this.path.push(key);
    this.check(value, pointer, roots);
    this.path.pop();
  }

  private checkText(text: string, pointer: string, roots: readonly string[] | null): void {
    if (!text.includes('{{')) return;
    const place = within(pointer, ...this.path);
    for (const part of this.partsOf(text, place)) {
      if (typeof part === 'string' || !part.path) continue;
      const [root, key] = part.path;
      if (roots && !roots.includes(root)) {
        this.issues.add(
          place,
          'template',
          `A template cannot begin with ${quote(root)} here. It can begin with: ${listOf(roots)}.`,
          {
            of: root,
            among: roots,
          },
        );
      } else if ((root === 'args' || root === 'event') && key !== undefined) this.checkParam(key, place);
      else if (root === 'steps' && key !== undefined) this.mention(key, place);
    }
  }

  private checkParam(name: string, place: string): void {
    const { params } = this;
    if (params === null || params.includes(name)) return;
    const known = params.length ? `Its params: ${params.join(', ')}.` : 'It has no params.';
    this.issues.add(place, 'unknown_param', `The function has no param ${quote(name)}. ${known}`, {
      of: name,
      among: params,
    });
  }

  private partsOf(text: string, place: string): TemplatePart[] {
    try {
      return parseTemplate(text);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.issues.add(place, 'template', `${quote(text)} is not a valid template. ${error.message}`);
      return [];
    }
  }
}

/**
 * Name that a `$repeat` gives to each item of its list: `{"list": …, "as": "note", "node": …}`
 * gives `note`. An empty list if there is none.
 */
function nameOfRepeated(repeat: JsonValue): string[] {
  return isObject(repeat) && typeof repeat['as'] === 'string' ? [repeat['as']] : [];
}
