import { EVENT_CATALOGUE } from './event-catalogue.js';
import type { EventDefinition } from './event-definition.js';

const AUDIENCES = { user: 'The user, and those who follow their tenant.', tenant: 'Those who follow the tenant.' };

interface EventsSchema extends Record<string, unknown> {
  $defs: Record<string, object>;
}

function schemaOf(type: string, { description, payload, audience, keyScope, onBus }: EventDefinition, isClosed: boolean): object {
  return {
    title: type,
    description,
    type: 'object',
    required: ['type', 'payload', 'ts'],
    properties: {
      type: { const: type },
      payload: { type: 'object', required: Object.keys(payload), properties: payload, ...(isClosed && { additionalProperties: false }) },
      ts: { type: 'string', format: 'date-time', description: 'When it happened.' },
    },
    'x-audience': AUDIENCES[audience],
    'x-api-keys': keyScope === false ? 'none' : `events:read${keyScope ? `, ${keyScope}` : ''}`,
    'x-apps-may-handle': onBus ?? false,
  };
}

/** The JSON Schema (2020-12) of the events of the platform, as those who follow them get them. New fields may be added to payloads, and new types.
 *
 * @param options `isClosed`: without the fields that may be added, for tests. */
export const eventsSchema = ({ isClosed = false } = {}): EventsSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Events of the platform',
  description:
    'Apps publish others, whose types begin with the id of the app. A client passes over types and fields that it does not know: there may be more with any release.',
  oneOf: Object.keys(EVENT_CATALOGUE)
    .sort()
    .map((type) => ({ $ref: `#/$defs/${type}` })),
  $defs: Object.fromEntries(
    Object.entries<EventDefinition>(EVENT_CATALOGUE)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([type, definition]) => [type, schemaOf(type, definition, isClosed)]),
  ),
});
