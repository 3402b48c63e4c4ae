import openapiTypeScript, { astToString } from 'openapi-typescript';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The services whose routes a client of ours calls, each with the document that describes it and the types that are made of it. */
const SOURCES = [
  { document: 'docs/openapi/auth-gateway.json', types: 'libs/client/src/generated/auth-gateway.ts' },
  { document: 'docs/openapi/registry.json', types: 'apps/auth-gateway/src/kernel/peers/registry/generated/registry.ts' },
];

/** The types of the clients as the text of their files, from the OpenAPI documents as `read` returns them. */
export async function clientFiles(read: (document: string) => string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { document, types } of SOURCES) {
    const nodes = await openapiTypeScript(read(document), {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      // A key with a default may be left out of a request.
      defaultNonNullable: false,
      silent: true,
    });
    files.set(types, `// Written by \`npm run openapi\` from ${document}. Changes here are lost.\n${astToString(nodes)}`);
  }
  return files;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [file, text] of await clientFiles((document) => readFileSync(document, 'utf8'))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`Wrote ${file}`);
  }
}
