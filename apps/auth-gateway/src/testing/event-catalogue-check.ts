import { eventsSchema } from '@platform/contracts';
import type { TestService } from '@platform/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface StoredEventRow {
  type: string;
  payload: object;
  ts: string;
}

const { $defs: definitions } = eventsSchema({ isClosed: true });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/**
 * Throws if a stored event of the platform does not match its schema in the catalogue. Runs when
 * the gateway of a spec stops, so it checks all events that the tests left.
 */
export async function assertEventsMatchCatalogue(service: TestService): Promise<void> {
  const events = await service.query<StoredEventRow>(
    `SELECT DISTINCT ON (type, keys) type, payload, at::text AS ts
     FROM platform_events, LATERAL (SELECT string_agg(key || jsonb_typeof(value), ',' ORDER BY key) AS keys FROM jsonb_each(payload)) AS k
     WHERE source = 'platform'`,
  );
  for (const event of events) {
    const definition = definitions[event.type];
    if (!definition) continue; // invented by a spec; types of real events are checked by the compiler
    const isAsSaid: boolean = ajv.validate(definition, event);
    if (!isAsSaid) throw new Error(`${event.type} is not as the catalogue says: ${ajv.errorsText()}`);
  }
}
