import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { hashSources } from './bootstrap/build.mjs';
import { makeClientTypes } from './client.mjs';

const DOCUMENT = 'docs/openapi/auth-gateway.json';
const TYPES = 'libs/client/src/generated/auth-gateway.ts';
const CLIENT = 'libs/client/src/index.ts';
const SAMPLE = 'libs/client/src/sample.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  mkdirSync(join(folder, dirname(DOCUMENT)), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (document: string) => writeFileSync(join(folder, DOCUMENT), document);
const types = () => readFileSync(join(folder, TYPES), 'utf8');
const documentWith = (property: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '0.1.0' },
    paths: {},
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: { [property]: { type: 'string', default: 'x' } },
          anyOf: [{ required: [property] }],
        },
      },
    },
  });

/** Errors of the compiler in the client and in a sample beside it, with these texts for files. */
function errors(texts: Record<string, string>): string[] {
  const { config } = ts.readConfigFile('libs/client/tsconfig.json', (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] },
    ts.sys,
    resolve('libs/client'),
  );
  const host = ts.createCompilerHost(options);
  const textOf = new Map(Object.entries(texts).map(([path, text]) => [resolve(path), text]));
  host.fileExists = (path) => textOf.has(path) || ts.sys.fileExists(path);
  host.readFile = (path) => textOf.get(path) ?? ts.sys.readFile(path);
  const program = ts.createProgram(
    [CLIENT, ...Object.keys(texts)].map((path) => resolve(path)),
    options,
    host,
  );
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the types of the client', () => {
  it('are made from the committed document, and the client compiles with them', async () => {
    cpSync(DOCUMENT, join(folder, DOCUMENT));
    await makeClientTypes(folder);
    const sample = `
      import { call, createPlatformClient, type UserResponse } from './index.js';
      const platform = createPlatformClient({ baseUrl: 'http://localhost:4000' });
      export const user: Promise<UserResponse> = call(platform.GET('/v1/auth/me'));
      // @ts-expect-error The platform has no such route.
      void platform.GET('/v1/auth/nobody');
      // @ts-expect-error The email address is missing.
      void platform.POST('/v1/auth/signup', { body: { password: 'correct horse battery' } });
    `;
    expect(errors({ [TYPES]: types(), [SAMPLE]: sample })).toEqual([]);
  });

  it('have an optional key for each default, and no rule between keys', async () => {
    write(documentWith('name'));
    await makeClientTypes(folder);
    expect(types()).toMatch(/Thing: \{\n\s*\/\*\* @default x \*\/\n\s*name\?: string;\n\s*\};/);
  });

  it('are made once for a document, and again for another one', async () => {
    write(documentWith('name'));
    expect(await makeClientTypes(folder)).toBe(true);
    const { ino } = statSync(join(folder, TYPES));
    expect(await makeClientTypes(folder)).toBe(false);
    expect(statSync(join(folder, TYPES)).ino).toBe(ino);
    write(documentWith('title'));
    expect(await makeClientTypes(folder)).toBe(true);
    expect(types()).toContain('title?: string');
  });

  it.each([
    ['is no JSON', '{'],
    ['is no OpenAPI document', '{}'],
  ])('are not made from a document that %s', async (_what, document) => {
    write(document);
    await expect(makeClientTypes(folder)).rejects.toThrow(`No client types can be made from ${DOCUMENT}: `);
  });

  it('do not make a build outdated, and their document does', async () => {
    write(documentWith('name'));
    const before = hashSources(folder);
    await makeClientTypes(folder);
    expect(hashSources(folder)).toBe(before);
    write(documentWith('title'));
    expect(hashSources(folder)).not.toBe(before);
  });
});
