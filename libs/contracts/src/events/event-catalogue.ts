import { ACCOUNT_EVENTS, TENANT_EVENTS } from './account-events.js';
import { DEVELOPER_EVENTS, MARKETPLACE_EVENTS, RUN_EVENTS } from './app-events.js';
import { AUTOMATION_EVENTS } from './automation-event.js';
import { BILLING_EVENTS } from './billing-events.js';
import type { EventDefinition, PayloadOf } from './event-definition.js';

/**
 * All events of the platform, by type. Apps can publish other events; their types begin with the id
 * of the app.
 */
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
/** Types of events that apps and automations can handle. */
export type BusEventType = {
  [Type in EventType]: (typeof EVENT_CATALOGUE)[Type] extends { onBus: true } ? Type : never;
}[EventType];
export type EventPayload<Type extends EventType = EventType> = PayloadOf<(typeof EVENT_CATALOGUE)[Type]>;

/** Definition of an event type; undefined if the platform has no event of this type. */
export const definitionOf = (type: string): EventDefinition | undefined =>
  (EVENT_CATALOGUE as Record<string, EventDefinition>)[type];

/**
 * Name of an event type in `source_types` of the event stream: the one in its definition, or the
 * first part of the type.
 */
export const sourceTypeOf = (type: string): string => definitionOf(type)?.sourceType ?? type.replace(/[.:].*$/s, '');
