import { isRecord, type RuleAction, type RuleTrigger, SCHEDULED_EVENT, shortenText } from '@platform/contracts';

export interface ParsedPrompt {
  trigger: RuleTrigger;
  actions: RuleAction[];
}

/** Error in a prompt, with a message for its author. */
export class PromptError extends Error {}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const TIME = String.raw`(\d{1,2}):(\d{2})(?: utc)?`;

interface TriggerForm {
  pattern: RegExp;
  read: (match: RegExpExecArray) => RuleTrigger;
}

const TRIGGERS: TriggerForm[] = [
  {
    pattern: /^when ([a-z0-9][\w-]*(?:[.:][\w-]+)+)(?: happens)?/i,
    read: ([, type]) => ({ event_type: String(type), schedule: null }),
  },
  { pattern: /^every minute/i, read: () => scheduled('* * * * *') },
  {
    pattern: /^every (\d{1,2}) minutes/i,
    read: ([, minutes]) => scheduled(`*/${parseDivisor(60, minutes, 'minutes')} * * * *`),
  },
  {
    pattern: /^every hour(?: at :?(\d{2}))?/i,
    read: ([, minute = '0']) => scheduled(`${parseUpTo(59, minute)} * * * *`),
  },
  {
    pattern: /^every (\d{1,2}) hours/i,
    read: ([, hours]) => scheduled(`0 */${parseDivisor(24, hours, 'hours')} * * *`),
  },
  {
    pattern: new RegExp(`^(?:every day|daily) at ${TIME}`, 'i'),
    read: ([, ...time]) => scheduled(`${cronTime(time)} * * *`),
  },
  {
    pattern: new RegExp(`^every weekday at ${TIME}`, 'i'),
    read: ([, ...time]) => scheduled(`${cronTime(time)} * * 1-5`),
  },
  {
    pattern: new RegExp(`^every (${WEEKDAYS.join('|')}) at ${TIME}`, 'i'),
    read: ([, day = '', ...time]) => scheduled(`${cronTime(time)} * * ${WEEKDAYS.indexOf(day.toLowerCase())}`),
  },
  {
    pattern: new RegExp(`^on day (\\d{1,2}) of every month at ${TIME}`, 'i'),
    read: ([, day = '', ...time]) => scheduled(`${cronTime(time)} ${parseUpTo(31, day)} * *`),
  },
  { pattern: /^on schedule "([^"]{1,100})"/i, read: ([, schedule]) => scheduled(String(schedule)) },
];

const MESSAGE = /^(?:message|notify me|tell me)\s*:?\s+/i;
const CALL = /^(?:call|run)\s+([a-z0-9][\w-]*)\.([\w-]+)/i;
const WITH = /^\s+with\s+/i;
const NEXT = /^\s*(?:;|,?\s*(?:and\s+)?then\b)\s*/i;

/**
 * Parses `<trigger>: <action>; <action> …` (see docs/automations.md). Does not check that the
 * event, the schedule and the functions exist.
 *
 * @throws PromptError that names the part that is not understood.
 */
export function parsePrompt(prompt: string): ParsedPrompt {
  const text = prompt.trim();
  for (const { pattern, read } of TRIGGERS) {
    const match = pattern.exec(text);
    const separator = match && /^\s*[:,]\s*/.exec(text.slice(match[0].length));
    if (!separator) continue;
    return { trigger: read(match), actions: parseActions(text.slice(match[0].length + separator[0].length)) };
  }
  throw new PromptError(
    'Begin with an event or a schedule and a colon, such as "every day at 09:00:", "every 15 minutes:" or "when marketplace.app_installed:".',
  );
}

function parseActions(text: string): RuleAction[] {
  const actions: RuleAction[] = [];
  let rest = text;
  for (;;) {
    const { action, after } = parseMessage(rest) ?? parseCall(rest) ?? throwUnknownAction(rest);
    actions.push(action);
    if (!after.trim()) return actions;
    const next = NEXT.exec(after);
    if (!next) throw new PromptError(`Put "; " or "then" before ${quoted(after)}.`);
    rest = after.slice(next[0].length);
  }
}

interface ParsedAction {
  action: RuleAction;
  after: string;
}

/**
 * Reads an action that sends a message: a JSON string, or the rest of the text without quotes. Null
 * if the text does not begin with such an action.
 *
 * @throws PromptError for an empty message, and for a string that has no end or is not JSON.
 */
function parseMessage(text: string): ParsedAction | null {
  const begin = MESSAGE.exec(text);
  if (!begin) return null;
  const rest = text.slice(begin[0].length);
  if (!rest.startsWith('"')) return { action: { message: assertMessageText(rest) }, after: '' };
  const end = endOfText(rest, 0);
  return { action: { message: assertMessageText(parseJson(rest.slice(0, end)) as string) }, after: rest.slice(end) };
}

function assertMessageText(message: string): string {
  if (!message.trim()) throw new PromptError('A message needs a text.');
  return message;
}

function parseCall(text: string): ParsedAction | null {
  const begin = CALL.exec(text);
  if (!begin) return null;
  const [all, app_id = '', tool = ''] = begin;
  const rest = text.slice(all.length);
  const given = WITH.exec(rest);
  if (!given) return { action: { app_id, tool, args: {} }, after: rest };
  const args = rest.slice(given[0].length);
  const end = endOfObject(args);
  const value = parseJson(args.slice(0, end));
  if (!isRecord(value)) throw new PromptError(`After "with", write a JSON object, not ${quoted(args)}.`);
  return { action: { app_id, tool, args: value }, after: args.slice(end) };
}

function throwUnknownAction(text: string): never {
  throw new PromptError(
    `Say what to do as message "…" or call app.function with {…}${text.trim() ? `; this is neither: ${quoted(text)}` : ''}.`,
  );
}

/**
 * Returns the position after the closing quote of the string that begins at `start`.
 *
 * @throws PromptError if there is none.
 */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  throw new PromptError(`A quote has no end: ${quoted(text.slice(start))}.`);
}

/**
 * Returns the position after the closing brace of the object; 0 if the text does not begin with an
 * object.
 *
 * @throws PromptError if a brace or a quote has no end.
 */
function endOfObject(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfText(text, at) - 1;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at + 1;
    if (depth <= 0) return 0;
  }
  throw new PromptError(`A brace has no end: ${quoted(text)}.`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json || 'null');
  } catch {
    throw new PromptError(`This is not valid JSON: ${quoted(json)}.`);
  }
}

const scheduled = (schedule: string): RuleTrigger => ({ event_type: SCHEDULED_EVENT, schedule });

const cronTime = ([hour = '', minute = '']: string[]): string => `${parseUpTo(59, minute)} ${parseUpTo(23, hour)}`;

function parseUpTo(most: number, digits: string): number {
  const number = Number(digits);
  if (number > most) throw new PromptError(`${digits} is too high here; the maximum is ${most}.`);
  return number;
}

/**
 * Returns the length of a step, such as 15 of 60 minutes. Accepts only divisors, so that the steps
 * are equally long.
 *
 * @throws PromptError for any other number, for 1 and for the whole.
 */
function parseDivisor(whole: number, digits: string | undefined, what: string): number {
  const number = Number(digits);
  if (number < 2 || number === whole || whole % number)
    throw new PromptError(`${whole} ${what} cannot be divided into equal steps of ${number} ${what}.`);
  return number;
}

const quoted = (text: string): string => JSON.stringify(shortenText(text.trim(), 60));
