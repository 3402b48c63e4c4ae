import type { OpenAPIObject } from '@nestjs/swagger';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * OpenAPI document of the public REST API, and the file of types for `libs/client` generated from
 * it.
 */
const DOCUMENT = 'docs/openapi/auth-gateway.json';
const TYPES = 'libs/client/src/generated/auth-gateway.ts';

/**
 * Generates the client's types. Returns the text of the file by its path. `read` returns an OpenAPI
 * document.
 */
export async function clientFiles(read: (document: string) => string): Promise<Map<string, string>> {
  const nodes = await openapiTypeScript(JSON.stringify(withoutRules(JSON.parse(read(DOCUMENT)) as OpenAPIObject)), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A request can leave out a key that has a default.
    defaultNonNullable: false,
    silent: true,
  });
  return new Map([[TYPES, `// Written by \`npm run openapi\` from ${DOCUMENT}. Changes here are lost.\n${astToString(nodes)}`]]);
}

/**
 * Removes rules about dependent fields: with them, TypeScript would require the caller to prove
 * which field is set.
 */
function withoutRules(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {}) as Record<string, unknown>[]) {
    if (schema['properties']) for (const rule of ['anyOf', 'allOf', 'if', 'then']) Reflect.deleteProperty(schema, rule);
  }
  return document;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [file, text] of await clientFiles((document) => readFileSync(document, 'utf8'))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`Wrote ${file}`);
  }
}
