import type { OpenAPIObject } from '@nestjs/swagger';
import { convertV2 } from 'openapi-to-postmanv2';

type Media = Record<string, { example?: unknown }> | undefined;
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  example?: unknown;
}
interface Operation {
  parameters?: { $ref?: string; name?: string; example?: unknown; schema?: Schema }[];
  requestBody?: { content?: Media };
  responses: Record<string, { content?: Media }>;
}

const OPTIONS = {
  folderStrategy: 'Tags',
  schemaFaker: false, // which would make other values each time
  parametersResolution: 'Example',
  enableOptionalParameters: false,
};

/**
 * A document as a Postman collection, which Bruno, Insomnia and others import, too: a folder for each group of routes, in their order, with the
 * answers that were recorded. It asks `baseUrl` with `bearerToken`, both variables of the collection.
 */
export async function postmanCollection(document: OpenAPIObject): Promise<string> {
  const data = structuredClone(document);
  for (const item of Object.values(data.paths)) for (const operation of Object.values(item) as Operation[]) simplify(operation);
  const collection = await new Promise<object>((resolve, reject) => {
    convertV2({ type: 'json', data }, OPTIONS, (error, { result, reason, output = [] }) => {
      if (error ?? !result) reject(error ?? new Error(reason));
      else resolve(withVariables(output[0]?.data ?? {}));
    });
  });
  // The ids are others each time, and nobody needs them. What the converter calls an API key is the token of a service.
  const text = JSON.stringify(collection, (key, value: unknown) => (key === 'id' || key === '_postman_id' ? undefined : value), 2);
  return `${text.replaceAll('{{apiKey}}', '{{serviceToken}}')}\n`;
}

interface Collection {
  variable?: { key: string; value: string }[];
}

/** The credentials that its requests name, for who imports it to fill in. */
const withVariables = (collection: Collection): Collection => ({
  ...collection,
  variable: [...(collection.variable ?? []), ...['bearerToken', 'serviceToken'].map((key) => ({ key, value: '' }))],
});

/** Leaves of the answers those that a test got, and of the headers those of the route. */
function simplify(operation: Operation): void {
  operation.parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  for (const parameter of operation.parameters) parameter.example ??= exampleOf(parameter.schema ?? {}, parameter.name ?? '');
  const body = operation.requestBody?.content?.['application/json'];
  if (body) body.example ??= {};
  const recorded = Object.entries(operation.responses).filter(
    ([status, { content }]) => /^2/.test(status) && content?.['application/json']?.example !== undefined,
  );
  operation.responses = recorded.length ? Object.fromEntries(recorded) : { '200': {} };
}

/** The same each time, where the converter would make one up. */
function exampleOf(schema: Schema, name: string): unknown {
  const [type] = [schema.type ?? 'string'].flat();
  const made: unknown = type === 'integer' || type === 'number' ? (schema.minimum ?? 1) : type === 'boolean' ? true : name;
  return schema.example ?? schema.default ?? schema.enum?.[0] ?? made;
}
