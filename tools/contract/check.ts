import type { OpenAPIObject } from '@nestjs/swagger';

/** A documented route of the public REST API, as in `routes.json`. */
export interface ContractRoute {
  service: string;
  group: string;
  method: string;
  path: string;
  auth: string;
  status?: number;
  request?: string;
  response?: string;
  query?: Record<string, { required?: boolean; type?: string; default?: unknown; minimum?: number; maximum?: number }>;
}

export interface ContractReport {
  /** Number of single statements about the API that hold. */
  passed: number;
  /** Differences of our OpenAPI documents, one line each. */
  differences: string[];
  /** Routes that our documents lack. */
  missing: string[];
}

interface Schema {
  $ref?: string;
  items?: Schema;
  [key: string]: unknown;
}

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  security?: Record<string, string[]>[];
}

const JSON_TYPE = 'application/json';
const QUERY_KEYS = ['minimum', 'maximum', 'default', 'type'] as const;

/**
 * Compares the OpenAPI documents with each route of the API: path, method, status, schema names,
 * query parameters, authentication.
 */
export function checkContract(routes: ContractRoute[], documents: Record<string, OpenAPIObject>): ContractReport {
  const report: ContractReport = { passed: 0, differences: [], missing: [] };
  for (const route of routes) {
    const name = `${route.service}: ${route.method} ${route.path}`;
    const operation = findOperation(documents[route.service], route);
    if (!operation) {
      report.missing.push(name);
      continue;
    }
    for (const [holds, difference] of statements(route, operation)) {
      if (holds) report.passed++;
      else report.differences.push(`${name}: ${difference}`);
    }
  }
  for (const [service, document] of Object.entries(documents)) {
    const internal = Object.keys(document.paths).filter((path) => path.startsWith('/v1/internal/'));
    if (internal.length) report.differences.push(`${service}: publishes ${internal.join(', ')}`);
    if (!document.openapi.startsWith('3.1')) report.differences.push(`${service}: is OpenAPI ${document.openapi}`);
    if (document.info.version !== '0.1.0') report.differences.push(`${service}: has version ${document.info.version}`);
  }
  return report;
}

/** Removes the names of path parameters, which can differ. */
const withoutNames = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');

function findOperation(document: OpenAPIObject | undefined, { path, method }: ContractRoute): Operation | undefined {
  const found = Object.entries(document?.paths ?? {}).find(
    ([candidate]) => withoutNames(candidate) === withoutNames(path),
  );
  return (found?.[1] as Record<string, Operation> | undefined)?.[method.toLowerCase()];
}

const nameOf = (schema?: Schema): string | undefined => schema?.$ref?.split('/').pop();

function* statements(route: ContractRoute, operation: Operation): Generator<[boolean, string]> {
  const { responses = {}, requestBody, parameters = [], security = [] } = operation;
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  yield [
    route.status ? successes.includes(String(route.status)) : successes.length > 0,
    `answers ${successes.join()} instead of ${route.status}`,
  ];
  if (route.request) {
    const request = nameOf(requestBody?.content?.[JSON_TYPE]?.schema);
    yield [request === route.request, `takes ${request} instead of ${route.request}`];
  }
  if (route.response) {
    const schema = responses[String(route.status)]?.content?.[JSON_TYPE]?.schema;
    const response = route.response.startsWith('array of ') ? `array of ${nameOf(schema?.items)}` : nameOf(schema);
    yield [response === route.response, `returns ${response} instead of ${route.response}`];
  }
  for (const [name, wanted] of Object.entries(route.query ?? {})) {
    const declared = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
    yield [declared !== undefined, `has no query parameter ${name}`];
    if (!declared) continue;
    if (wanted.required) yield [declared.required === true, `does not require ${name}`];
    for (const key of QUERY_KEYS) {
      if (wanted[key] !== undefined)
        yield [declared.schema?.[key] === wanted[key], `${key} of ${name} differs from ${JSON.stringify(wanted[key])}`];
    }
  }
  if (requestBody ?? parameters.length) yield ['422' in responses, 'does not declare 422'];
  yield [
    security.length > 0 === (route.auth !== 'public'),
    `declares ${security.length} credentials for ${route.auth}`,
  ];
}
