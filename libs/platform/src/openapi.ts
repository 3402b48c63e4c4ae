import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { existsSync, readFileSync } from 'node:fs';
import { allowCaching } from './http/security-headers.js';
import { sha256 } from './hashing.js';
import { CODE_PATTERN } from './error-codes.js';
import { describeCallers } from './openapi-callers.js';
import { dropUnused, operationsOf, unwrapSingles, type Operation } from './openapi-components.js';
import { describeRequests } from './openapi-requests.js';
import { describeRefusals, RefusalExamples, shareResponses, type Refusal } from './openapi-refusals.js';
import { describeHeaders, HEADERS, PARAMETERS } from './openapi-headers.js';
import { docsParser, jsonParser } from './speed/docs-parser.js';
import { docsSubtrees, leanSubtrees } from './speed/docs-subtrees.js';

export interface OpenApiInfo {
  /** The service, as in `docs/openapi/<service>.json`. */
  service: string;
  title: string;
  description: string;
  /** Descriptions of the groups of routes, in the order of display. */
  tags?: Record<string, string>;
  /** A complete example body for each request schema, by the name of the schema. */
  examples?: Readonly<Record<string, object>>;
  /**
   * Errors of each route, by `<Controller>.<method>`, beside those that follow from its access and
   * its input.
   */
  refusals?: Readonly<Record<string, readonly Refusal[]>>;
  /**
   * The exported document of this service. It is served if it exists, because it contains more than
   * a new document: error codes come from the build, and recorded examples from the tests.
   */
  file?: string | undefined;
  /** Exported documents of other services that this service also serves: the file, by service. */
  others?: Record<string, string>;
}

const INTERNAL = '/v1/internal/';
const DOCUMENT_PATH = '/v1/openapi.json';
const ACTING_USER =
  'The user for whom a trusted backend acts. With `X-Acting-Session`, only while that session of the user is active; otherwise 401.';

/**
 * Creates the public OpenAPI document of a service: its routes, except internal ones, with the
 * errors of each route.
 */
export function createOpenApiDocument(app: INestApplication, info: OpenApiInfo): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(info.title)
    .setDescription(info.description)
    .setVersion('0.1.0')
    .addServer(THIS_SERVER.url, THIS_SERVER.description)
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of `POST /v1/keys`.' },
      'apiKey',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Service-Token', description: 'For trusted backends only.' },
      'service',
    )
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Acting-User', description: ACTING_USER }, 'actingUser')
    // Last, because the dialog of Swagger UI focuses its last field.
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token or an API key.' },
      'bearer',
    )
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => `${controller}.${method}`,
  });
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith(INTERNAL)));
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_SCHEMAS },
    parameters: PARAMETERS,
    headers: HEADERS,
  };
  unwrapSingles(document);
  describeRequests(document);
  const operations = operationsOf(document);
  const refusalExamples = new RefusalExamples();
  for (const operation of operations) {
    // A method with several paths has one operation for each, with an index in its id: `method[1]`.
    const [method = '', path = '0'] = (operation.operationId ?? '').replace(/\]$/, '').split('[');
    operation.operationId = `${method.replace(/^.*\./, '')}${path === '0' ? '' : 'Alias'}`;
    operation.security ??= []; // an empty list says that no credential is needed; a missing list says nothing
    describeOperation(operation);
    for (const response of Object.values(operation.responses) as { description: string }[])
      response.description ||= 'Success';
    describeRefusals(operation, info.refusals?.[method] ?? [], refusalExamples);
    describeHeaders(operation);
    showExample(operation, info.examples ?? {});
  }
  Object.assign(document.components, { examples: refusalExamples.all });
  shareResponses(document);
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  document.tags = Object.entries(info.tags ?? {}).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  );
  dropUnused(document);
  return document;
}

/**
 * Serves the OpenAPI document at `/v1/openapi.json` (readable from every origin) and
 * `/openapi/<service>.json`, those of `info.others` beside it, and a page to read the first at
 * `/docs`. The document is the exported file `info.file`, or is created on the first request if
 * there is none, so that the service starts faster.
 */
export function serveOpenApi(app: INestApplication, info: OpenApiInfo): void {
  let document: OpenAPIObject | undefined;
  const get = () => (document ??= exported(info.file) ?? createOpenApiDocument(app, info));
  let served: { text: Buffer; tag: string } | undefined;
  const written = () => (served ??= withTag(JSON.stringify(get())));
  const http = app.getHttpAdapter();
  for (const path of [DOCUMENT_PATH, `/openapi/${info.service}.json`]) {
    http.get(path, (_request: Request, response: Response) => {
      allowCaching(response, 'public, max-age=300');
      const { text, tag } = written();
      // Express answers 304 if the client already has this version.
      response.set({ 'Access-Control-Allow-Origin': '*', ETag: tag }).type('json').send(text);
    });
  }
  for (const [service, file] of Object.entries(info.others ?? {})) {
    http.get(`/openapi/${service}.json`, (_request: Request, response: Response) => {
      allowCaching(response, 'public, max-age=300');
      response.set('Access-Control-Allow-Origin', '*').sendFile(file, { cacheControl: false });
    });
  }
  // The page fetches the document, so that browsers can cache it. Otherwise Nest would embed it in
  // `swagger-ui-init.js` (3 MB), keep that in memory, and prevent caching.
  const none = (): OpenAPIObject => ({ openapi: '3.1.0', info: { title: info.title, version: '' }, paths: {} });
  SwaggerModule.setup('docs', app, none, {
    raw: false,
    customSiteTitle: info.title,
    swaggerUrl: DOCUMENT_PATH,
    swaggerOptions: { ...PAGE, spec: {}, plugins: pagePlugins() }, // Swagger UI reads `url` only if `spec` is empty
  });
}

/**
 * The exported document, with the address of this service instead of the one in the file. Null if
 * there is no file.
 */
function exported(file: string | undefined): OpenAPIObject | null {
  if (!file || !existsSync(file)) return null;
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject), servers: [THIS_SERVER] };
}

/** Encodes the document, and makes its ETag. It has some megabytes, so this is done once. */
const withTag = (json: string): { text: Buffer; tag: string } => ({
  text: Buffer.from(json),
  tag: `"${sha256(json).toString('base64url')}"`,
});

const THIS_SERVER = { url: '/', description: 'The service that serves this document' };

/**
 * Options of Swagger UI: a filter for groups, groups closed at first, and a link for each route.
 */
const PAGE = {
  filter: true,
  docExpansion: 'none',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null, // otherwise Swagger UI shows a badge of validator.swagger.io, and sends it the address of the document
};

/**
 * Plugins of Swagger UI on `/docs`. They replace Nest's list, `[DownloadUrl]`; Swagger UI contains
 * that plugin by default.
 */
const pagePlugins = () => [...(docsSubtrees.isOn ? [leanSubtrees] : []), ...(docsParser.isOn ? [jsonParser] : [])];

const SENTENCE = /^.+?[.!?](?=\s|$)/s;

/**
 * Splits the comment of a route, which Nest put into `summary`. Its first sentence becomes the
 * summary, in plain text. The whole comment becomes the description, in Markdown, followed by the
 * callers.
 */
function describeOperation(operation: Operation): void {
  const text = operation.summary?.replace(/\s+/g, ' ').trim();
  if (!text) return;
  const headline = SENTENCE.exec(text)?.[0] ?? text;
  operation.summary = headline.replaceAll('`', '').replace(/\.$/, '');
  operation.description = `${/[.!?]$/.test(text) ? text : `${text}.`}\n\n${describeCallers(operation)}`;
}

const SCHEMA = /^#\/components\/schemas\/(.+)$/;

function showExample({ requestBody }: Operation, examples: Readonly<Record<string, object>>): void {
  if (!requestBody || !('content' in requestBody)) return;
  for (const content of Object.values(requestBody.content)) {
    const [, name = ''] = content.schema && '$ref' in content.schema ? (SCHEMA.exec(content.schema.$ref) ?? []) : [];
    if (Object.hasOwn(examples, name)) content.example = examples[name];
  }
}

const ERROR_SCHEMAS: NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> = {
  ErrorResponse: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string', description: 'Description of the error for a person.' },
      code: {
        type: 'string',
        pattern: CODE_PATTERN,
        description:
          'Name of the error for a program: `<thing>.<reason>`, or one general name that any route can answer. A code never changes.',
        example: 'role.in_use',
      },
      request_id: { type: 'string', description: 'Quote it when you report a problem.' },
    },
  },
  DetailedErrorResponse: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: {
        type: 'object',
        required: ['message'],
        properties: { message: { type: 'string', description: 'Description of the error for a person.' } },
        additionalProperties: true,
        description: 'The error, with the values that a program needs to continue.',
      },
      code: { type: 'string', pattern: CODE_PATTERN },
      request_id: { type: 'string', description: 'Quote it when you report a problem.' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: {
        type: 'array',
        items: { $ref: '#/components/schemas/ValidationError' },
        description: 'List of errors in the input, at most 50.',
      },
      code: { type: 'string', enum: ['validation_failed'] },
      request_id: { type: 'string', description: 'Quote it when you report a problem.' },
    },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        description: 'Path to the invalid value. It begins with body, query, path or header.',
        example: ['body', 'email'],
      },
      msg: { type: 'string', example: 'Field required' },
      type: { type: 'string', example: 'missing' },
    },
  },
};
