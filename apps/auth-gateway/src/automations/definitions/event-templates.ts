import { isWhole, parseTemplate, TemplateError, type TemplatePart } from '@platform/app-document';
import { isMessage, isRecord, type RuleAction } from '@platform/contracts';
import type { FireEvent } from '../firing/fire-event.js';

/** As JSON: what a template may grow to. */
const MAX_FILLED_LENGTH = 256 * 1024;

/** @throws TemplateError with a message for whoever wrote it. */
export function assertTemplates(value: unknown): void {
  if (typeof value === 'string') assertText(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) assertTemplates(inner);
}

function assertText(text: string): void {
  for (const part of parseTemplate(text)) {
    if (typeof part === 'string') continue;
    if (part.path?.[0] !== 'event') throw new TemplateError('Between {{ and }} belongs a path that begins with "event.".');
    if (part.filters.length) throw new TemplateError('Rules know no filters.');
  }
}

/** Whether there is anything to fill in, so that what it will be is not known yet. */
export const hasTemplates = (args: Record<string, unknown>): boolean => JSON.stringify(args).includes('{{');

/**
 * The value with what its templates stand for. A text that is nothing but one template becomes the value itself, of whatever type; in
 * other texts lists and maps stand as JSON, and what is not there as nothing.
 *
 * @throws TemplateError when it grows beyond 256 KiB.
 */
export function filled<Value extends string | object>(value: Value, event: FireEvent): Value extends string ? unknown : Value {
  let left = MAX_FILLED_LENGTH;
  const fillText = (text: string): unknown => {
    const parts = parseTemplate(text);
    const found = isWhole(parts) ? (valueOf(parts[0], event) ?? null) : parts.map((part) => textOf(valueOf(part, event))).join('');
    left -= JSON.stringify(found).length;
    if (left < 0) throw new TemplateError(`What is filled in has more than ${MAX_FILLED_LENGTH} characters.`);
    return found;
  };
  const fill = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.includes('{{') ? fillText(inner) : inner;
    if (Array.isArray(inner)) return inner.map(fill);
    // Not by assignment, which `__proto__` would turn into something else.
    return isRecord(inner) ? Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, fill(item)])) : inner;
  };
  return fill(value) as never;
}

/** Only what the event itself has, and nothing that objects inherit. */
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

/** As it stands in a text: nothing for what is missing or null, lists and maps as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** What somebody typed into an action. */
export const textsOf = (action: RuleAction): unknown => (isMessage(action) ? action.message : action.args);
