import type { WebhookEndpoint } from '@platform/client';
import { Field } from '../../components/field.js';
import { chosenTypes, EventTypesField } from './event-types-field.js';

type Endpoint = Pick<WebhookEndpoint, 'url' | 'description' | 'event_types'>;

/** Fields of the form, by their names in errors of the gateway. */
export const ENDPOINT_FIELDS = ['url', 'description', 'event_types'];

/** Converts form values to an endpoint. */
export const endpointOf = (values: Record<string, string>): Endpoint => ({
  url: (values['url'] ?? '').trim(),
  description: (values['description'] ?? '').trim(),
  event_types: chosenTypes(values),
});

/** Form fields, filled with the values of an existing endpoint. */
export function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  return (
    <>
      <Field
        name="url"
        label="Address"
        type="url"
        required
        missing="Enter the address that receives events."
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
        hint="Shown in the list of endpoints."
      />
      <EventTypesField chosen={endpoint?.event_types} />
    </>
  );
}
