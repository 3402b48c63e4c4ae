import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { allowCaching } from './http/security-headers.js';
import { CODE_PATTERN } from './error-codes.js';
import { describeHeaders, HEADERS, PARAMETERS } from './openapi-headers.js';

export interface OpenApiInfo {
  /** The service, as in `docs/openapi/<service>.json`. */
  service: string;
  title: string;
  description: string;
  /** What each group of routes is about, in the order in which they are shown. */
  tags?: Record<string, string>;
  /** One whole body for each kind of request, by the name of its schema. */
  examples?: Readonly<Record<string, object>>;
  /** Exported documents of other services that this one hands out too: the service, and the file. */
  others?: Record<string, string>;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const INTERNAL = '/v1/internal/';
const ACTING_USER =
  'The user a trusted backend acts for. With `X-Acting-Session` beside it, only while that session of theirs goes on: else 401.';

/** The public description of a service: its routes without the internal ones, each with the errors that it can answer. */
export function createOpenApiDocument(app: INestApplication, info: OpenApiInfo): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(info.title)
    .setDescription(info.description)
    .setVersion('0.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token or an API key.' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of `POST /v1/keys`.' }, 'apiKey')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Service-Token', description: 'For trusted backends only.' }, 'service')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Acting-User', description: ACTING_USER }, 'actingUser')
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (_controller, method) => method,
  });
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith(INTERNAL)));
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_SCHEMAS },
    parameters: PARAMETERS,
    headers: HEADERS,
  };
  const operations = Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  for (const operation of operations) {
    describeOperation(operation);
    describeResponses(operation);
    describeHeaders(operation);
    showExample(operation, info.examples ?? {});
  }
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  document.tags = Object.entries(info.tags ?? {}).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
  return document;
}

/**
 * Serves the document at `/v1/openapi.json` (readable from every origin) and `/openapi/<service>.json`, and a page to read it at
 * `/docs`. It is made when it is first asked for, since a service should start fast.
 */
export function serveOpenApi(app: INestApplication, info: OpenApiInfo): void {
  let document: OpenAPIObject | undefined;
  const get = () => (document ??= createOpenApiDocument(app, info));
  const http = app.getHttpAdapter();
  for (const path of ['/v1/openapi.json', `/openapi/${info.service}.json`]) {
    http.get(path, (_request: Request, response: Response) => {
      allowCaching(response, 'public, max-age=300');
      response.set('Access-Control-Allow-Origin', '*').json(get());
    });
  }
  for (const [service, file] of Object.entries(info.others ?? {})) {
    http.get(`/openapi/${service}.json`, (_request: Request, response: Response) => {
      allowCaching(response, 'public, max-age=300');
      response.set('Access-Control-Allow-Origin', '*').sendFile(file, { cacheControl: false });
    });
  }
  SwaggerModule.setup('docs', app, get, { raw: false, customSiteTitle: info.title, swaggerOptions: PAGE });
}

/** A filter for groups, which are closed at first, and addresses that lead to one route. */
const PAGE = { filter: true, docExpansion: 'none', deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true };

const SENTENCE = /^.+?[.!?](?=\s|$)/s;

/** The comment of a route: its first sentence is the headline, which is no Markdown, and what says more is the description, which is. */
function describeOperation(operation: Operation): void {
  const text = operation.summary?.replace(/\s+/g, ' ').trim();
  if (!text) return;
  const headline = SENTENCE.exec(text)?.[0] ?? text;
  operation.summary = headline.replaceAll('`', '').replace(/\.$/, '');
  if (headline !== text || text.includes('`')) operation.description = text;
}

const SCHEMA = /^#\/components\/schemas\/(.+)$/;

function showExample({ requestBody }: Operation, examples: Readonly<Record<string, object>>): void {
  if (!requestBody || !('content' in requestBody)) return;
  for (const content of Object.values(requestBody.content)) {
    const [, name = ''] = content.schema && '$ref' in content.schema ? (SCHEMA.exec(content.schema.$ref) ?? []) : [];
    if (Object.hasOwn(examples, name)) content.example = examples[name];
  }
}

function describeResponses(operation: Operation): void {
  const responses = operation.responses as Record<string, { description: string; content?: object }>;
  for (const response of Object.values(responses)) response.description ||= 'Success';
  // Of every route: each takes headers.
  responses['422'] = { description: 'The input does not validate', content: json('HTTPValidationError') };
  if (operation.security?.length) {
    responses['401'] = { description: 'The credential is missing or not accepted', content: json('ErrorResponse') };
    responses['403'] = { description: refusals(operation), content: json('ErrorResponse') };
  }
  if (responses['429']) responses['429'].content = json('ErrorResponse');
  responses['default'] = { description: 'Any other failure', content: json('ErrorResponse') };
}

/** What `@Access` says beside the security of a route. */
interface AccessExtensions {
  'x-key-scopes'?: string[];
  'x-service-permission'?: string;
}

/** Who may not do this, with what the access of the route asks of API keys and of service tokens. */
function refusals(operation: Operation): string {
  const { 'x-key-scopes': scopes, 'x-service-permission': permission } = operation as Operation & AccessExtensions;
  const needs = [
    scopes && `an API key needs the scope ${scopes.join(' or ')}`,
    permission && `a service token needs the permission ${permission}`,
  ].filter(Boolean);
  return ['The caller may not do this', ...needs].join('; ');
}

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

const ERROR_SCHEMAS: NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> = {
  ErrorResponse: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string', description: 'What went wrong, for a person.' },
      code: {
        type: 'string',
        pattern: CODE_PATTERN,
        description: 'What went wrong, for a program: `<thing>.<reason>`, or one name where any route may answer it. A code never changes.',
        example: 'role.in_use',
      },
      request_id: { type: 'string', description: 'Quote it when you report a problem.' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' }, description: 'Everything that is wrong.' },
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
        description: 'Where: begins with body, query, path or header.',
        example: ['body', 'email'],
      },
      msg: { type: 'string', example: 'Field required' },
      type: { type: 'string', example: 'missing' },
    },
  },
};
