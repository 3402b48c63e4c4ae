import 'reflect-metadata';
import type { OpenAPIObject } from '@nestjs/swagger';
import { appDocumentSchema } from '@platform/app-document';
import { eventsSchema } from '@platform/contracts';
import { createOpenApiDocument, createService, type OpenApiInfo, type ServiceDefinition } from '@platform/platform';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig as gatewayConfig } from '../apps/auth-gateway/src/config.js';
import { authGateway } from '../apps/auth-gateway/src/service.js';
import { loadConfig as hostConfig } from '../apps/ext-webhook-host/src/config.js';
import { extWebhookHost } from '../apps/ext-webhook-host/src/service.js';
import { loadConfig as registryConfig } from '../apps/registry/src/config.js';
import { registry } from '../apps/registry/src/service.js';
import { postmanCollection } from './collection.js';
import { configurationFiles } from './configuration.js';
import { showRecorded } from './openapi-examples.js';

/**
 * Required variables. Their values are not used, because the services are neither initialised nor
 * connected.
 */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  DATABASE_URL: 'postgres://unused',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  SERVICE_TOKENS: 'unused:unused-unused-unused-unused',
  LOG_LEVEL: 'silent',
};

const FOLDER = 'docs/openapi';
const COLLECTION = join(FOLDER, 'cloud-platform.postman_collection.json');
const SCHEMAS = {
  'docs/schemas/app-document.schema.json': appDocumentSchema,
  'docs/schemas/events.schema.json': eventsSchema,
};

/**
 * OpenAPI document of each service, as the text of its file. Works only in the build: Jest's
 * transpiler writes no schemas.
 */
export async function openApiFiles(): Promise<Map<string, string>> {
  const definitions: ServiceDefinition[] = [
    authGateway(gatewayConfig(ENVIRONMENT)),
    registry(registryConfig(ENVIRONMENT)),
    extWebhookHost(hostConfig(ENVIRONMENT)),
  ];
  const files = new Map<string, string>();
  const refusals = JSON.parse(readFileSync(join(import.meta.dirname, '../refusals.json'), 'utf8')) as Record<
    string,
    NonNullable<OpenApiInfo['refusals']>
  >;
  for (const definition of definitions) {
    if (!definition.openApi) throw new Error(`${definition.name} has no public API`);
    const app = await createService(definition);
    const document = createOpenApiDocument(app, { ...definition.openApi, refusals: refusals[definition.name] ?? {} });
    showRecorded(document, definition.name);
    document.servers = [
      { url: `http://127.0.0.1:${definition.config.PORT}`, description: 'A platform started with `npm start`' },
    ];
    files.set(join(FOLDER, `${definition.name}.json`), `${JSON.stringify(document, null, 2)}\n`);
  }
  return files;
}

/**
 * All generated files that are committed: the OpenAPI documents and the Postman collection, the
 * JSON Schemas of app documents and events, and the table of variables.
 */
async function allFiles(): Promise<Map<string, string>> {
  const documents = await openApiFiles();
  const gateway = JSON.parse(documents.get(join(FOLDER, 'auth-gateway.json')) ?? '') as OpenAPIObject;
  const schemas = Object.entries(SCHEMAS).map(
    ([file, schema]) => [file, `${JSON.stringify(schema(), null, 2)}\n`] as const,
  );
  return new Map([
    ...documents,
    [COLLECTION, await postmanCollection(gateway)],
    ...schemas,
    ...(await configurationFiles()),
  ]);
}

/** Generated files that differ from the code. */
export async function staleOpenApiFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const [file, text] of await allFiles()) {
    if (read(file) !== text) stale.push(file);
  }
  return stale;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--check')) {
    const stale = await staleOpenApiFiles();
    if (stale.length) console.error(`Stale: ${stale.join(', ')}. Run \`npm run openapi\` and commit the result.`);
    process.exit(stale.length ? 1 : 0);
  }
  for (const [file, text] of await allFiles()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`Wrote ${file}`);
  }
  execFileSync(process.execPath, ['tools/client.mjs'], { stdio: 'inherit' });
  process.exit(0);
}
