import { didYouMean } from '../did-you-mean.js';
import { EVENT_CATALOGUE, type EventType } from '../events/event-catalogue.js';
import type { EventDefinition } from '../events/event-definition.js';

export const ALL_EVENT_TYPES = '*';
/** What a test delivery is of. It is not among the events that can be chosen. */
export const WEBHOOK_TEST_TYPE = 'webhook_endpoint.test';

const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];
/** Types that hold what is said to a user: chosen by their names alone, not by `*` and not by what they begin with. */
export const NAMED_ONLY_EVENT_TYPES: readonly EventType[] = TYPES.filter((type) => (EVENT_CATALOGUE[type] as EventDefinition).saysText);

const groupOf = (type: string): string => `${type.split('.')[0]}.*`;
const CHOICES: ReadonlySet<string> = new Set([
  ALL_EVENT_TYPES,
  ...TYPES,
  ...TYPES.filter((type) => type.includes('.') && !NAMED_ONLY_EVENT_TYPES.includes(type)).map(groupOf),
]);

/** Whether an endpoint may choose it: a type of the catalogue, `billing.*` and such, or `*`. */
export const isEventTypeChoice = (choice: unknown): choice is string => typeof choice === 'string' && CHOICES.has(choice);

/** What an endpoint has chosen when it gets events of this type: one of these is enough. */
export const choicesOfEventType = (type: EventType): string[] =>
  NAMED_ONLY_EVENT_TYPES.includes(type) ? [type] : [type, ALL_EVENT_TYPES, ...(type.includes('.') ? [groupOf(type)] : [])];

/** What is wrong with a choice, for whoever made it. */
export function noSuchEventType(choice: string): string {
  if (choice === WEBHOOK_TEST_TYPE) return `A ${JSON.stringify(choice)} is always sent where it is asked for: leave it out.`;
  // Of some kinds there is one type, which has no dot: of `task.*`, `task_update`.
  const undotted = choice.endsWith('.*')
    ? TYPES.find((type) => type.startsWith(choice.replace('.*', '_')) && !type.includes('.'))
    : undefined;
  const meant = undotted ? ` Did you mean ${JSON.stringify(undotted)}?` : didYouMean({ of: choice, among: CHOICES });
  return `There are no events ${JSON.stringify(choice)}.${meant}`;
}
