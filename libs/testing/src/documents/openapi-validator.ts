import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestResponse } from '../test-client.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';

interface Response {
  $ref?: string;
  content?: Record<string, { examples?: object }>;
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Requests and answers that the exported OpenAPI document declares; the gateway's by default. */
export class OpenApiValidator {
  private readonly document: OpenAPIObject;
  private readonly ajv = new Ajv2020({ strict: false, formats: fullFormats, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(service = 'auth-gateway') {
    this.document = JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject;
    this.ajv.addSchema({ $id: 'document', ...this.document });
  }

  /** Describes the first undeclared part of an answer; null if all of it is declared. */
  findFault(method: string, path: string, { status, headers, body }: TestResponse<unknown>): string | null {
    const at = ['paths', path, method.toLowerCase(), 'responses', String(status)];
    const declared = this.resolvePath(at) as Response | undefined;
    if (!declared) return `answers ${status}, which is not declared: ${JSON.stringify(body).slice(0, 300)}`;
    const place = declared.$ref ? declared.$ref.slice(2).split('/') : at;
    const { content } = this.resolvePath(place) as Response;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (!content) return body === '' ? null : `answers ${status} with a body, which is not declared`;
    const media = content[type];
    if (!media) return `answers ${status} as ${type}`;
    if (!type.endsWith('json')) return null;
    const wrong = this.validate([...place, 'content', type, 'schema'], body);
    if (wrong) return `answers ${status} not as declared: ${wrong}: ${JSON.stringify(body).slice(0, 300)}`;
    if (status < 400) return null;
    const { code } = body as { code: string };
    return Object.hasOwn(media.examples ?? {}, code)
      ? null
      : `answers ${status} with the code ${code}, which is not declared`;
  }

  /** True if the document allows this body for the route. */
  acceptsBody(method: string, path: string, body: unknown): boolean {
    return (
      this.validate(
        ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'],
        body,
      ) === null
    );
  }

  private validate(place: string[], value: unknown): string | null {
    const $ref = `document#/${place.map(escaped).join('/')}`;
    let validate = this.compiled.get($ref);
    if (!validate) this.compiled.set($ref, (validate = this.ajv.compile({ $ref })));
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  private resolvePath(place: string[]): unknown {
    return place.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], this.document);
  }
}
