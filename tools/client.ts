import type { OpenAPIObject } from '@nestjs/swagger';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The document of the interface that people and programs use, and the types of `libs/client` that are made of it. */
const DOCUMENT = 'docs/openapi/auth-gateway.json';
const TYPES = 'libs/client/src/generated/auth-gateway.ts';

/** The types of the client as the text of their file, by its path; from the OpenAPI documents as `read` returns them. */
export async function clientFiles(read: (document: string) => string): Promise<Map<string, string>> {
  const nodes = await openapiTypeScript(JSON.stringify(withoutRules(JSON.parse(read(DOCUMENT)) as OpenAPIObject)), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A key with a default may be left out of a request.
    defaultNonNullable: false,
    silent: true,
  });
  return new Map([[TYPES, `// Written by \`npm run openapi\` from ${DOCUMENT}. Changes here are lost.\n${astToString(nodes)}`]]);
}

/** How fields depend on each other is no matter of their types: TypeScript would want to know which of them is there. */
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
