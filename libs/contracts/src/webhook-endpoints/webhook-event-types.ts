import { didYouMean } from '../did-you-mean.js';
import { EVENT_CATALOGUE, type EventType } from '../events/event-catalogue.js';
import type { EventDefinition } from '../events/event-definition.js';

export const ALL_EVENT_TYPES = '*';
/** Type of test deliveries. An endpoint cannot subscribe to it. */
export const WEBHOOK_TEST_TYPE = 'webhook_endpoint.test';

const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];
/**
 * Types that contain messages to users. They are only delivered if an endpoint names them, not
 * through `*` or a group.
 */
export const NAMED_ONLY_EVENT_TYPES: readonly EventType[] = TYPES.filter(
  (type) => (EVENT_CATALOGUE[type] as EventDefinition).saysText,
);

const groupOf = (type: string): string => `${type.split('.')[0]}.*`;
const CHOICES: ReadonlySet<string> = new Set([
  ALL_EVENT_TYPES,
  ...TYPES,
  ...TYPES.filter((type) => type.includes('.') && !NAMED_ONLY_EVENT_TYPES.includes(type)).map(groupOf),
]);

/**
 * True if an endpoint can subscribe to it: a type of the catalogue, a group such as `billing.*`, or
 * `*`.
 */
export const isEventTypeChoice = (choice: unknown): choice is string =>
  typeof choice === 'string' && CHOICES.has(choice);

/**
 * Subscriptions that include events of this type: the type, its group such as `billing.*`, and `*`;
 * only the type itself if its events contain messages to users. An endpoint needs only one of them.
 */
export const choicesOfEventType = (type: EventType): string[] =>
  NAMED_ONLY_EVENT_TYPES.includes(type)
    ? [type]
    : [type, ALL_EVENT_TYPES, ...(type.includes('.') ? [groupOf(type)] : [])];

/**
 * Error message for a subscription that does not exist, with the nearest known one if there is one.
 */
export function noSuchEventType(choice: string): string {
  if (choice === WEBHOOK_TEST_TYPE)
    return `Remove ${JSON.stringify(choice)}: test deliveries are sent without a subscription.`;
  // Some groups have only one type, which has no dot: `task_update` for `task.*`.
  const undotted = choice.endsWith('.*')
    ? TYPES.find((type) => type.startsWith(choice.replace('.*', '_')) && !type.includes('.'))
    : undefined;
  const meant = undotted ? ` Did you mean ${JSON.stringify(undotted)}?` : didYouMean({ of: choice, among: CHOICES });
  return `There is no event type ${JSON.stringify(choice)}.${meant}`;
}
