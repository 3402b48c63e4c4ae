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
  schemaFaker: false, // random values would differ in each build
  parametersResolution: 'Example',
  enableOptionalParameters: false,
};

/**
 * Converts an OpenAPI document to a Postman collection, which Bruno, Insomnia and others also
 * import: a folder for each group of routes, in their order, with the recorded answers. Requests
 * use the collection's variables `baseUrl` and `bearerToken`.
 */
export async function postmanCollection(document: OpenAPIObject): Promise<string> {
  const data = structuredClone(document);
  for (const item of Object.values(data.paths))
    for (const operation of Object.values(item) as Operation[]) simplify(operation);
  const collection = await new Promise<object>((resolve, reject) => {
    convertV2({ type: 'json', data }, OPTIONS, (error, { result, reason, output = [] }) => {
      if (error ?? !result) reject(error ?? new Error(reason));
      else resolve(withVariables(output[0]?.data ?? {}));
    });
  });
  // Ids are removed: they differ in each build and are not needed. The converter's `apiKey` is the
  // service token.
  const text = JSON.stringify(
    collection,
    (key, value: unknown) => (key === 'id' || key === '_postman_id' ? undefined : value),
    2,
  );
  return `${text.replaceAll('{{apiKey}}', '{{serviceToken}}')}\n`;
}

interface Collection {
  variable?: { key: string; value: string }[];
}

/**
 * Adds empty variables for the credentials that the requests name; the user fills them in after the
 * import.
 */
const withVariables = (collection: Collection): Collection => ({
  ...collection,
  variable: [...(collection.variable ?? []), ...['bearerToken', 'serviceToken'].map((key) => ({ key, value: '' }))],
});

/**
 * Keeps only the successful answers that a test recorded, and removes parameters that all routes
 * share, such as headers.
 */
function simplify(operation: Operation): void {
  operation.parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  for (const parameter of operation.parameters)
    parameter.example ??= exampleOf(parameter.schema ?? {}, parameter.name ?? '');
  const body = operation.requestBody?.content?.['application/json'];
  if (body) body.example ??= {};
  const recorded = Object.entries(operation.responses).filter(
    ([status, { content }]) => /^2/.test(status) && content?.['application/json']?.example !== undefined,
  );
  operation.responses = recorded.length ? Object.fromEntries(recorded) : { '200': {} };
}

/** Example value that is the same in each build; the converter would choose a random one. */
function exampleOf(schema: Schema, name: string): unknown {
  const [type] = [schema.type ?? 'string'].flat();
  const made: unknown =
    type === 'integer' || type === 'number' ? (schema.minimum ?? 1) : type === 'boolean' ? true : name;
  return schema.example ?? schema.default ?? schema.enum?.[0] ?? made;
}
