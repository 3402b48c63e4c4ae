import type { OpenAPIObject } from '@nestjs/swagger';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
interface Found {
  name: string;
  /** Source position. */
  at: string;
}

const SERVICES = ['auth-gateway', 'registry', 'ext-webhook-host'];
const SOURCES = [...SERVICES.map((service) => `apps/${service}/src`), 'libs/platform/src', 'libs/guards/src'];
const documents = SERVICES.map(
  (service) => JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject,
);
const operations = documents.flatMap((document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, Operation][]).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
      document,
    })),
  ),
);

/** Headers that HTTP defines for every server: framing, content, sender. */
const OF_HTTP_IN = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'host', 'transfer-encoding'],
  ...['accept-encoding', 'origin', 'sec-fetch-site', 'user-agent'],
  'x-forwarded-for', // sent by proxies
]);
const OF_HTTP_OUT = new Set([
  ...[
    'access-control-allow-origin',
    'allow',
    'cache-control',
    'connection',
    'content-length',
    'content-type',
    'pragma',
    'vary',
  ],
  ...[
    'content-security-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'referrer-policy',
    'x-content-type-options',
  ],
  ...['x-frame-options', 'strict-transport-security', 'permissions-policy'],
  'x-accel-buffering', // read by nginx
]);

const taken = new Set(documents.flatMap((document) => [...credentialsOf(document), ...parametersOf(document)]));
const said = new Set(
  operations.flatMap(({ document, operation }) =>
    responsesOf(document, operation).flatMap(({ headers }) => headers.map((name) => name.toLowerCase())),
  ),
);

const { read, written } = inSources();

describe('the OpenAPI documents', () => {
  it('list every header of a request that the code reads', () => {
    expect(read.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['if-match', 'if-none-match', 'x-acting-session', 'x-request-id', 'x-api-key']),
    );
    // The code also reads headers of errors and of answers of other services.
    expect(read.filter(({ name }) => !taken.has(name) && !said.has(name) && !OF_HTTP_IN.has(name))).toEqual([]);
  });

  it('list none that nothing reads', () => {
    const names = new Set(read.map(({ name }) => name));
    expect([...taken].filter((name) => !names.has(name))).toEqual([]);
  });

  it('list every header of an answer that the code sets', () => {
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['etag', 'retry-after', 'deprecation', 'x-request-id', 'www-authenticate', 'ratelimit']),
    );
    expect(
      written.filter(
        ({ name }) => !said.has(name) && !taken.has(name) && !OF_HTTP_OUT.has(name) && !OF_HTTP_IN.has(name),
      ),
    ).toEqual([]);
  });

  it('say of every route which of them it takes and answers', () => {
    const wrong = operations.flatMap(({ name, operation, document }) => {
      const names = headersOf(document, operation);
      const ways = (operation.security ?? []).map((way) => Object.keys(way));
      const isForUsers = ways.flat().some((key) => key === 'bearer' || key === 'actingUser');
      const isConditional = names.includes('if-none-match') || names.includes('if-match');
      const faults = [
        names.includes('x-request-id') || 'takes no X-Request-Id',
        names.includes('x-acting-session') === isForUsers || 'X-Acting-Session',
        (names.includes('x-acting-user') || ways.flat().includes('actingUser')) === isForUsers || 'X-Acting-User',
        ...responsesOf(document, operation).flatMap(({ status, headers }) => [
          headers.includes('X-Request-Id') || `${status} without X-Request-Id`,
          headers.includes('Retry-After') || !['429', 'default'].includes(status) || `${status} without Retry-After`,
          headers.includes('Deprecation') ||
            !operation.deprecated ||
            !/^[23]/.test(status) ||
            `${status} without Deprecation`,
          headers.includes('ETag') || !isConditional || !/^([23]|412)/.test(status) || `${status} without ETag`,
        ]),
      ];
      return faults.filter((fault) => fault !== true).map((fault) => `${name}: ${fault}`);
    });
    expect(wrong).toEqual([]);
  });
});

function credentialsOf({ components }: OpenAPIObject): string[] {
  return Object.values(components?.securitySchemes ?? {}).map((scheme) =>
    ('name' in scheme && scheme.name ? scheme.name : 'Authorization').toLowerCase(),
  );
}

function parametersOf(document: OpenAPIObject): string[] {
  return Object.values(document.paths).flatMap((item) =>
    (Object.values(item) as Operation[]).flatMap((operation) => headersOf(document, operation)),
  );
}

function headersOf({ components }: OpenAPIObject, { parameters = [] }: Operation): string[] {
  return parameters
    .map((parameter) =>
      '$ref' in parameter ? components?.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
    )
    .flatMap((parameter) =>
      parameter && 'in' in parameter && parameter.in === 'header' ? [parameter.name.toLowerCase()] : [],
    );
}

function responsesOf({ components }: OpenAPIObject, { responses }: Operation): { status: string; headers: string[] }[] {
  return (Object.entries(responses) as [string, { $ref?: string; headers?: object }][]).map(([status, response]) => {
    const { headers = {} } = (
      response.$ref ? components?.responses?.[response.$ref.split('/').at(-1) ?? ''] : response
    ) as typeof response;
    return { status, headers: Object.keys(headers) };
  });
}

/**
 * Lower-case names of the request headers that the services read, and of the response headers that
 * they write.
 */
function inSources(): { read: Found[]; written: Found[] } {
  const found: { read: Found[]; written: Found[] } = { read: [], written: [] };
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  for (const file of files.filter(
    (each) => each.endsWith('.ts') && !/\.spec\.ts$|\/(?:testing|generated)\//.test(each),
  )) {
    const text = readFileSync(file, 'utf8');
    if (!/header/i.test(text)) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const note = (into: Found[], node: ts.Node | undefined): void => {
      if (!node || !ts.isStringLiteral(node)) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      into.push({ name: node.text.toLowerCase(), at: `${file}:${line + 1}` });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isElementAccessExpression(node) && isHeaders(node.expression)) note(found.read, node.argumentExpression);
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText();
        if (called === 'Headers') note(found.read, node.arguments[0]);
        if (called === 'singleHeader') note(found.read, node.arguments[1]);
        if (called === 'Header' || /(?:\.|^)(?:setHeader|set)$/.test(called))
          note(found.written, isName(node.arguments[0]) ? node.arguments[0] : undefined);
      }
      if (
        ts.isPropertyAssignment(node) &&
        node.name.getText() === 'headers' &&
        ts.isObjectLiteralExpression(node.initializer)
      ) {
        for (const property of node.initializer.properties) note(found.written, property.name);
      }
      // Functions such as `retryAfter` return response headers.
      if (ts.isReturnStatement(node) && node.expression && ts.isObjectLiteralExpression(node.expression)) {
        for (const { name } of node.expression.properties)
          if (name && /^'[A-Z][\w-]*'$/.test(name.getText())) note(found.written, name);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isHeaders(node: ts.Expression): boolean {
  return /(?:^|\.)headers$/.test(node.getText());
}

/** True if the string is written like a response header, not like a key of a map. */
function isName(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isStringLiteral(node) && /^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*$/.test(node.text);
}
