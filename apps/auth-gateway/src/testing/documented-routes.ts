import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Schema = { properties?: Record<string, { type?: string | string[] }>; $ref?: string };

export interface DocumentedRoute {
  method: string;
  /** With `{…}` where a value belongs. */
  path: string;
  /** The ways in, each with all that it needs; none for a public route. */
  security: string[][];
  /** The keys of the JSON body, with their types; null when there is none. */
  body: Record<string, string[]> | null;
}

/** Every route of the exported description (`npm run openapi`), so that a test covers those to come too. */
export function documentedRoutes(): DocumentedRoute[] {
  const document = JSON.parse(readFileSync('docs/openapi/auth-gateway.json', 'utf8')) as OpenAPIObject;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, Operation][]).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      security: (operation.security ?? []).map((way) => Object.keys(way)),
      body: bodyOf(document, operation),
    })),
  );
}

function bodyOf(document: OpenAPIObject, { requestBody }: Operation): Record<string, string[]> | null {
  const content = requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined;
  if (!content) return null;
  const name = (content as Schema).$ref?.split('/').pop() ?? '';
  const { properties = {} } = (document.components?.schemas?.[name] ?? content) as Schema;
  return Object.fromEntries(Object.entries(properties).map(([key, { type }]) => [key, [type ?? []].flat()]));
}

/** The path with a value in each of its places. */
export const fill = (path: string, value: string): string => path.replace(/\{\w+\}/g, encodeURIComponent(value));
