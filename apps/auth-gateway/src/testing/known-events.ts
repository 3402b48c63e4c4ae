import { eventsSchema } from '@platform/contracts';
import type { TestService } from '@platform/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface ToldEvent {
  type: string;
  payload: object;
  ts: string;
}

const { $defs: definitions } = eventsSchema({ isClosed: true });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Fails where an event of the platform is not as the catalogue says: called when a gateway of a spec stops, so for all that its tests caused and left there. */
export async function assertEventsMatchCatalogue(service: TestService): Promise<void> {
  const events = await service.query<ToldEvent>(
    `SELECT DISTINCT ON (type, keys) type, payload, at::text AS ts
     FROM platform_events, LATERAL (SELECT string_agg(key || jsonb_typeof(value), ',' ORDER BY key) AS keys FROM jsonb_each(payload)) AS k
     WHERE source = 'platform'`,
  );
  for (const event of events) {
    const definition = definitions[event.type];
    if (!definition) continue; // made up by a spec: what a feature publishes is of a type that there is, or does not compile
    const isAsSaid: boolean = ajv.validate(definition, event);
    if (!isAsSaid) throw new Error(`${event.type} is not as the catalogue says: ${ajv.errorsText()}`);
  }
}
