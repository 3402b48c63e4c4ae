import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** Parts of a JSON schema that tests use. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minItems?: number;
  minimum?: number;
  example?: unknown;
  default?: unknown;
}

type Referring = Schema & { $ref?: string; anyOf?: Referring[]; allOf?: Referring[] };

export interface DocumentedRoute {
  method: string;
  /** Path with `{…}` for each parameter. */
  path: string;
  /**
   * Alternative authentications, each with all credentials that it requires; empty for a public
   * route.
   */
  security: string[][];
  query: { name: string; required: boolean; schema: Schema }[];
  /**
   * True if API keys and apps are refused because the route moves money or credits, now or later.
   */
  movesMoney: boolean;
  /** True if the route accepts an `Idempotency-Key`. */
  isIdempotent: boolean;
  /**
   * True if the route has `limit` or `per_page`, or its operation id begins with `list` or
   * `follow`.
   */
  isList: boolean;
  /** JSON body with all references resolved; null if the route has no body. */
  schema: Schema | null;
  /** Keys of the JSON body with their types; null if the route has no body. */
  body: Record<string, string[]> | null;
}

const exported = (service = 'auth-gateway'): OpenAPIObject =>
  JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject;

/** Schemas of the gateway's exported OpenAPI document, by name. */
export const readDocumentedSchemas = (): Record<string, Schema> =>
  (exported().components?.schemas ?? {}) as Record<string, Schema>;

/**
 * All routes of the exported OpenAPI document (`npm run openapi`), so that a test also covers
 * future routes. The gateway's by default.
 */
export function listDocumentedRoutes(service?: string): DocumentedRoute[] {
  const document = exported(service);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, Operation][]).map(([method, operation]) => {
      const schema = bodyOf(document, operation);
      return {
        method: method.toUpperCase(),
        path,
        security: (operation.security ?? []).map((way) => Object.keys(way)),
        query: queryOf(document, operation),
        movesMoney: 'x-moves-money' in operation,
        isIdempotent: headersOf(operation).includes('Idempotency-Key'),
        isList:
          queryOf(document, operation).some(({ name }) => name === 'limit' || name === 'per_page') ||
          isCalledList(operation),
        schema,
        body:
          schema &&
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([key, { type }]) => [key, [type ?? []].flat()]),
          ),
      };
    }),
  );
}

const isCalledList = ({ operationId }: Operation): boolean => /^(list|follow)/.test(operationId ?? '');

const headersOf = ({ parameters = [] }: Operation): string[] =>
  parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'header' ? [parameter.name] : []));

function queryOf(document: OpenAPIObject, { parameters = [] }: Operation): DocumentedRoute['query'] {
  return parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query'
      ? [
          {
            name: parameter.name,
            required: parameter.required ?? false,
            schema: complete(document, (parameter.schema ?? {}) as Referring),
          },
        ]
      : [],
  );
}

function bodyOf(document: OpenAPIObject, { requestBody }: Operation): Schema | null {
  const content = requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined;
  return content ? complete(document, content as Referring) : null;
}

/**
 * Copies a schema with all references resolved, and the alternative that is not null in place of
 * `anyOf`. A schema inside itself becomes an empty schema.
 */
function complete(document: OpenAPIObject, { $ref, anyOf, allOf, ...own }: Referring, within: string[] = []): Schema {
  const name = $ref?.split('/').pop();
  if (name && within.includes(name)) return {};
  const inside = name ? [...within, name] : within;
  const other =
    (name && (document.components?.schemas?.[name] as Referring)) ||
    anyOf?.find(({ type }) => type !== 'null') ||
    allOf?.[0];
  const taken = other && complete(document, other, inside);
  const schema: Schema = { ...taken, ...own };
  const { properties, items } = schema;
  // The schema requires its own keys and those of the first alternative.
  if (taken?.required && own.required) schema.required = [...new Set([...own.required, ...taken.required])];
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, property]) => [key, complete(document, property, inside)]),
      ),
    }),
    ...(items && { items: complete(document, items, inside) }),
  };
}

/** Replaces each parameter of the path, such as `{app_id}`, by the encoded value. */
export const fillPath = (path: string, value: string): string => path.replace(/\{\w+\}/g, encodeURIComponent(value));
