import { ACCOUNT_EVENTS, TENANT_EVENTS } from './account-events.js';
import { DEVELOPER_EVENTS, MARKETPLACE_EVENTS, RUN_EVENTS } from './app-events.js';
import { AUTOMATION_EVENTS } from './automation-event.js';
import { BILLING_EVENTS } from './billing-events.js';
import type { EventDefinition, PayloadOf } from './event-definition.js';

/** Every event that the platform tells of, by its type. Apps publish others, whose types begin with their id. */
export const EVENT_CATALOGUE = {
  ...ACCOUNT_EVENTS,
  ...AUTOMATION_EVENTS,
  ...BILLING_EVENTS,
  ...DEVELOPER_EVENTS,
  ...MARKETPLACE_EVENTS,
  ...RUN_EVENTS,
  ...TENANT_EVENTS,
};

export type EventType = keyof typeof EVENT_CATALOGUE;
/** Those that apps and automations may handle. */
export type BusEventType = { [Type in EventType]: (typeof EVENT_CATALOGUE)[Type] extends { onBus: true } ? Type : never }[EventType];
export type EventPayload<Type extends EventType = EventType> = PayloadOf<(typeof EVENT_CATALOGUE)[Type]>;

/** What is known of a type; undefined where the platform has no such event. */
export const definitionOf = (type: string): EventDefinition | undefined => (EVENT_CATALOGUE as Record<string, EventDefinition>)[type];

/** What `source_types` of the stream calls events of the platform of this type. */
export const sourceTypeOf = (type: string): string => definitionOf(type)?.sourceType ?? type.replace(/[.:].*$/s, '');
