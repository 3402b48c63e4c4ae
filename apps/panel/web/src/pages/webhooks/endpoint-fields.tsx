import type { WebhookEndpoint } from '@platform/client';
import { Field } from '../../components/field.js';
import { chosenTypes, EventTypesField } from './event-types-field.js';

type Endpoint = Pick<WebhookEndpoint, 'url' | 'description' | 'event_types'>;

/** The names that the gateway gives to what is wrong with them. */
export const ENDPOINT_FIELDS = ['url', 'description', 'event_types'];

/** What the form says of an endpoint. */
export const endpointOf = (values: Record<string, string>): Endpoint => ({
  url: (values['url'] ?? '').trim(),
  description: (values['description'] ?? '').trim(),
  event_types: chosenTypes(values),
});

/** With what there is of an endpoint that is changed. */
export function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  return (
    <>
      <Field
        name="url"
        label="Address"
        type="url"
        required
        missing="Enter the address that events are posted to."
        maxLength={2_048}
        defaultValue={endpoint?.url}
        autoComplete="off"
        placeholder="https://"
      />
      <Field
        name="description"
        label="Description"
        maxLength={200}
        defaultValue={endpoint?.description}
        autoComplete="off"
        hint="For those who look at the list."
      />
      <EventTypesField chosen={endpoint?.event_types} />
    </>
  );
}
