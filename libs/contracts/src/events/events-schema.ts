import { EVENT_CATALOGUE } from './event-catalogue.js';
import type { EventDefinition } from './event-definition.js';

const AUDIENCES = { user: 'The user, and clients that follow the tenant.', tenant: 'Clients that follow the tenant.' };

interface EventsSchema extends Record<string, unknown> {
  $defs: Record<string, object>;
}

function schemaOf(
  type: string,
  { description, payload, audience, keyScope, onBus }: EventDefinition,
  isClosed: boolean,
): object {
  return {
    title: type,
    description,
    type: 'object',
    required: ['type', 'payload', 'ts'],
    properties: {
      type: { const: type },
      payload: {
        type: 'object',
        required: Object.keys(payload),
        properties: payload,
        ...(isClosed && { additionalProperties: false }),
      },
      ts: { type: 'string', format: 'date-time', description: 'Time of the event.' },
    },
    'x-audience': AUDIENCES[audience],
    'x-api-keys': keyScope === false ? 'none' : `events:read${keyScope ? `, ${keyScope}` : ''}`,
    'x-apps-may-handle': onBus ?? false,
  };
}

/**
 * JSON Schema (2020-12) of the platform's events, as clients receive them. New types, and new
 * fields of payloads, can be added at any time.
 *
 * @param options `isClosed`: forbids additional fields, for tests.
 */
export const eventsSchema = ({ isClosed = false } = {}): EventsSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Events of the platform',
  description:
    'Apps publish other events, whose types begin with the id of the app. Clients must ignore unknown types and fields, because every release can add some.',
  oneOf: Object.keys(EVENT_CATALOGUE)
    .sort()
    .map((type) => ({ $ref: `#/$defs/${type}` })),
  $defs: Object.fromEntries(
    Object.entries<EventDefinition>(EVENT_CATALOGUE)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([type, definition]) => [type, schemaOf(type, definition, isClosed)]),
  ),
});
