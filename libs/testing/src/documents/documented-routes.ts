import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** What a test reads of a JSON schema. */
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
  /** With `{…}` where a value belongs. */
  path: string;
  /** The ways in, each with all that it needs; none for a public route. */
  security: string[][];
  query: { name: string; required: boolean; schema: Schema }[];
  /** Programs are refused: it moves money or credits, or lets them be moved later. */
  movesMoney: boolean;
  /** Takes an `Idempotency-Key`. */
  isIdempotent: boolean;
  /** Whether it pages, or is called a list, or follows one as it grows. */
  isList: boolean;
  /** The JSON body, with what it refers to put in; null when there is none. */
  schema: Schema | null;
  /** The keys of the JSON body, with their types; null when there is none. */
  body: Record<string, string[]> | null;
}

const exported = (service = 'auth-gateway'): OpenAPIObject =>
  JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject;

/** The records of the exported description, by name. */
export const documentedSchemas = (): Record<string, Schema> => (exported().components?.schemas ?? {}) as Record<string, Schema>;

/** Every route of the exported description (`npm run openapi`), so that a test covers those to come too. Of the gateway unless told. */
export function documentedRoutes(service?: string): DocumentedRoute[] {
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
        isList: queryOf(document, operation).some(({ name }) => name === 'limit' || name === 'per_page') || isCalledList(operation),
        schema,
        body: schema && Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, { type }]) => [key, [type ?? []].flat()])),
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
      ? [{ name: parameter.name, required: parameter.required ?? false, schema: complete(document, (parameter.schema ?? {}) as Referring) }]
      : [],
  );
}

function bodyOf(document: OpenAPIObject, { requestBody }: Operation): Schema | null {
  const content = requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined;
  return content ? complete(document, content as Referring) : null;
}

/** Puts in what is referred to, and takes something else than null where there is a choice. What is part of itself ends there. */
function complete(document: OpenAPIObject, { $ref, anyOf, allOf, ...own }: Referring, within: string[] = []): Schema {
  const name = $ref?.split('/').pop();
  if (name && within.includes(name)) return {};
  const inside = name ? [...within, name] : within;
  const other = (name && (document.components?.schemas?.[name] as Referring)) || anyOf?.find(({ type }) => type !== 'null') || allOf?.[0];
  const taken = other && complete(document, other, inside);
  const schema: Schema = { ...taken, ...own };
  const { properties, items } = schema;
  // Of several of which one is needed, the first.
  if (taken?.required && own.required) schema.required = [...new Set([...own.required, ...taken.required])];
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, complete(document, property, inside)])),
    }),
    ...(items && { items: complete(document, items, inside) }),
  };
}

/** The path with a value in each of its places. */
export const fill = (path: string, value: string): string => path.replace(/\{\w+\}/g, encodeURIComponent(value));
