import { AUTOMATION_TRIGGERED, PLATFORM_SOURCE } from '@platform/contracts';
import { intersectNarrowings, appsNarrowing, type OriginKey, type Narrowing } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import { narrowingOfEvent, type EventRights } from '../../extensions/run-grants/published-events.js';
import { AutomationRule } from '../rules/automation-rule.entity.js';
import { KEY_OF_RULE } from '../rules/rule-rows.js';
import type { FireEvent } from './fire-event.js';

const COLUMNS = columns(AutomationRule, ['scopes', 'madeByApp', 'otherApps'], 'r');

/** Columns of `AuthorRights` from `automation_rules` as `r`. */
export const RULE_RIGHTS_COLUMNS = `${COLUMNS}, ${KEY_OF_RULE} AS rule_key` as const;

/** Permissions that the author of the actions had when they were written. */
export interface AuthorRights extends RowOf<typeof COLUMNS> {
  /** API key that led to the actions; null if a person wrote them. */
  rule_key: OriginKey | null;
}

/** The event that fires a rule, with its permissions. */
export interface FiringEvent extends EventRights {
  event: Pick<FireEvent, 'type' | 'source' | 'data'>;
}

/** The app that wrote the actions, and the apps that led to it. */
export const appsBehindRule = ({ made_by_app, other_apps }: AuthorRights): string[] => [
  ...(made_by_app === null ? [] : [made_by_app]),
  ...(other_apps ?? []),
];

/**
 * Permissions of a firing: those of the author of the actions, narrowed by those of the event. They
 * also apply to everything that the firing causes.
 */
export function narrowingOfFire(rule: AuthorRights, by: FiringEvent): Narrowing {
  return intersectNarrowings(
    { scopes: rule.scopes, key: rule.rule_key, ...appsNarrowing(appsBehindRule(rule)) },
    narrowingOfEvent(by),
  );
}

/**
 * True if the user did not ask for the calls in person: an app wrote the actions or published the
 * event, an API key led to either, or a firing of another such rule did. Unattended calls cannot
 * spend beyond the limit that only a person can raise.
 */
export const isUnattended = (rule: AuthorRights, { event, key, apps }: FiringEvent): boolean =>
  rule.rule_key !== null ||
  key !== null ||
  event.source !== PLATFORM_SOURCE ||
  (event.type === AUTOMATION_TRIGGERED && event.data['unattended'] === true) ||
  [...appsBehindRule(rule), ...(apps ?? [])].length > 0;
