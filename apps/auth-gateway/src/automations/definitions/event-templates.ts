import { isWhole, parseTemplate, TemplateError, type TemplatePart } from '@platform/app-document';
import { isMessage, isRecord, type RuleAction } from '@platform/contracts';
import type { FireEvent } from '../firing/fire-event.js';

/** Characters of JSON that all filled-in values of an action can have together. */
const MAX_FILLED_LENGTH = 256 * 1024;

/**
 * Checks the templates in all texts of a value: each path must begin with `event.`, and filters are
 * not allowed.
 *
 * @throws TemplateError with a message for the author of the rule.
 */
export function assertTemplates(value: unknown): void {
  if (typeof value === 'string') assertText(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) assertTemplates(inner);
}

function assertText(text: string): void {
  for (const part of parseTemplate(text)) {
    if (typeof part === 'string') continue;
    if (part.path?.[0] !== 'event') throw new TemplateError('A path between {{ and }} must begin with "event.".');
    if (part.filters.length) throw new TemplateError('Templates of automations cannot have filters.');
  }
}

/** True if the arguments contain templates, so that their final values are not known yet. */
export const hasTemplates = (args: Record<string, unknown>): boolean => JSON.stringify(args).includes('{{');

/**
 * Returns the value with its templates filled in. A text that consists of one template becomes the
 * value itself, with its type, and null if it is missing. In other texts, lists and maps appear as
 * JSON, and missing values as an empty text.
 *
 * @throws TemplateError if a template is not valid, or if the filled-in values exceed 256 KiB.
 */
export function fillTemplates<Value extends string | object>(
  value: Value,
  event: FireEvent,
): Value extends string ? unknown : Value {
  let left = MAX_FILLED_LENGTH;
  const fillText = (text: string): unknown => {
    const parts = parseTemplate(text);
    const found = isWhole(parts)
      ? (valueOf(parts[0], event) ?? null)
      : parts.map((part) => valueAsText(valueOf(part, event))).join('');
    left -= JSON.stringify(found).length;
    if (left < 0) throw new TemplateError(`The filled-in values have more than ${MAX_FILLED_LENGTH} characters.`);
    return found;
  };
  const fill = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.includes('{{') ? fillText(inner) : inner;
    if (Array.isArray(inner)) return inner.map(fill);
    // `fromEntries` instead of an assignment, which would treat the key `__proto__` specially.
    return isRecord(inner) ? Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, fill(item)])) : inner;
  };
  return fill(value) as never;
}

/**
 * Returns the value at the path of a template in the event, or the text itself for a part that is
 * no template; undefined for a missing value. Reads own properties only, not inherited ones.
 */
function valueOf(part: TemplatePart, event: FireEvent): unknown {
  if (typeof part === 'string') return part;
  const [, ...keys] = part.path ?? [];
  return keys.reduce<unknown>(
    (value, key) =>
      (isRecord(value) || (Array.isArray(value) && key !== 'length')) && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    event,
  );
}

/** A value as text: empty for a missing value or null, JSON for lists and maps. */
export function valueAsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Texts of an action that its author wrote. */
export const templateTextsOf = (action: RuleAction): unknown => (isMessage(action) ? action.message : action.args);
