import { AUTOMATION_TRIGGERED, PLATFORM_SOURCE } from '@platform/contracts';
import { narrower, throughApps, type GivenKey, type Narrowing } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import { narrowingOfEvent, type RightsOfEvent } from '../../extensions/run-grants/published-events.js';
import { AutomationRule } from '../rules/automation-rule.entity.js';
import { KEY_OF_RULE } from '../rules/rule-rows.js';
import type { FireEvent } from './fire-event.js';

const COLUMNS = columns(AutomationRule, ['scopes', 'madeByApp', 'otherApps'], 'r');

/** Of `automation_rules` as `r`: `RightsOfRule`. */
export const RIGHTS_OF_RULE = `${COLUMNS}, ${KEY_OF_RULE} AS rule_key` as const;

/** Of whoever wrote the actions, then. */
export interface RightsOfRule extends RowOf<typeof COLUMNS> {
  /** The API key that led to the actions; null where a person wrote them. */
  rule_key: GivenKey | null;
}

/** What fires a rule. */
export interface FiredBy extends RightsOfEvent {
  event: Pick<FireEvent, 'type' | 'source' | 'data'>;
}

/** The one that wrote the actions, and those that led to it. */
export const appsOfRule = ({ made_by_app, other_apps }: RightsOfRule): string[] => [
  ...(made_by_app === null ? [] : [made_by_app]),
  ...(other_apps ?? []),
];

/** No more than whoever wrote the actions might then, and the event that fired the rule leaves. It holds for what the firing leads to as well. */
export function narrowingOfFire(rule: RightsOfRule, by: FiredBy): Narrowing {
  return narrower({ scopes: rule.scopes, key: rule.rule_key, ...throughApps(appsOfRule(rule)) }, narrowingOfEvent(by));
}

/**
 * What an app led to, the user did not ask for: whether it wrote the actions, or the event came from it. Nor what an API key led to, which else
 * would spend beyond the limit that only a person raises. Nor what follows from either, by however many rules.
 */
export const isUnattended = (rule: RightsOfRule, { event, key, apps }: FiredBy): boolean =>
  rule.rule_key !== null ||
  key !== null ||
  event.source !== PLATFORM_SOURCE ||
  (event.type === AUTOMATION_TRIGGERED && event.data['unattended'] === true) ||
  [...appsOfRule(rule), ...(apps ?? [])].length > 0;
