import type { OpenAPIObject } from '@nestjs/swagger';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkContract, type ContractRoute } from './check.js';

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

const routes = read<ContractRoute[]>(__dirname, 'routes.json');
const services = ['auth-gateway', 'registry', 'ext-webhook-host'];
const documents = Object.fromEntries(
  services.map((service) => [service, read<OpenAPIObject>('docs', 'openapi', `${service}.json`)]),
);

describe('the exported OpenAPI documents', () => {
  const report = checkContract(routes, documents);

  it('say of every route that is built what the interface says', () => {
    expect(report.differences).toEqual([]);
    expect(report.passed).toBeGreaterThan(0);
  });

  it('lack none of its routes', () => {
    expect(report.missing).toEqual([]);
  });
});

describe.each(services)('the page that shows the document of %s', (service) => {
  const { paths, tags = [], components } = documents[service] as OpenAPIObject;
  const operations = Object.values(paths).flatMap((item) =>
    [item.get, item.put, item.post, item.delete, item.patch].filter((one) => !!one),
  );

  it('says what each group of routes is about', () => {
    const used = new Set(operations.flatMap((operation) => operation.tags ?? []));
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { description } of tags) expect(description).toMatch(/\.$/);
  });

  it('has a headline for each route, without Markdown, and one line long', () => {
    for (const { operationId, summary } of operations)
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[^`\n]{3,160}$/)]);
  });

  it('shows a body for each route that takes JSON, which the schema of that route takes', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
    ajv.addSchema({ $id: 'document', components });
    for (const { operationId, requestBody } of operations) {
      if (!requestBody || !('content' in requestBody)) continue;
      const { schema, example } = requestBody.content['application/json'] ?? {};
      if (!schema || !('$ref' in schema)) continue;
      const valid = ajv.validate({ $ref: `document${schema.$ref}` }, example);
      expect({ operationId, example, errors: valid ? [] : ajv.errors }).toEqual({
        operationId,
        example: expect.any(Object),
        errors: [],
      });
      const known = Object.keys(
        (components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] as { properties?: object }).properties ?? {},
      );
      expect({ operationId, unknown: Object.keys(example as object).filter((key) => !known.includes(key)) }).toEqual({
        operationId,
        unknown: [],
      });
    }
  });
});

describe('the check itself', () => {
  const route: ContractRoute = {
    service: 'auth-gateway',
    group: 'Auth',
    method: 'POST',
    path: '/v1/things/{thing_id}',
    auth: 'bearer',
    status: 201,
    request: 'ThingRequest',
    response: 'array of ThingResponse',
    query: { limit: { type: 'integer', default: 50, required: true } },
  };
  const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const operation = {
    requestBody: { content: { 'application/json': { schema: schema('ThingRequest') } } },
    parameters: [{ in: 'query', name: 'limit', required: true, schema: { type: 'integer', default: 50 } }],
    responses: {
      '201': {
        description: '',
        content: { 'application/json': { schema: { type: 'array', items: schema('ThingResponse') } } },
      },
      '422': { description: '' },
    },
    security: [{ bearer: [] }],
  };
  const check = (changes: object) => {
    const paths = { '/v1/things/{id}': { post: { ...operation, ...changes } } };
    return checkContract([route], {
      'auth-gateway': { openapi: '3.1.0', info: { title: '', version: '0.1.0' }, paths } as OpenAPIObject,
    });
  };

  it('passes a document that agrees, whatever its path parameters are called', () => {
    expect(check({})).toEqual({ passed: 9, differences: [], missing: [] });
  });

  it.each([
    ['another status', { responses: { '200': {}, '422': {} } }, 2],
    ['another request', { requestBody: { content: { 'application/json': { schema: schema('Other') } } } }, 1],
    ['no query parameter', { parameters: [] }, 1],
    ['another default', { parameters: [{ ...operation.parameters[0], schema: { type: 'integer', default: 20 } }] }, 1],
    ['no 422', { responses: { '201': operation.responses['201'] } }, 1],
    ['no credential', { security: [] }, 1],
  ])('notices %s', (_what, changes, count) => {
    expect(check(changes).differences).toHaveLength(count);
  });
});
