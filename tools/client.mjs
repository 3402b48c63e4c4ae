// `npm run client`: makes the types of `libs/client` from the OpenAPI document of the public REST
// API. They are not committed. The build, the checks and the Nx target `client:types` call this,
// too.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCUMENT = 'docs/openapi/auth-gateway.json';
const TYPES = 'libs/client/src/generated/auth-gateway.ts';

/**
 * Makes the types, unless they are there and fit the document and the generator. Processes can call
 * it at the same time: each replaces the file in one step, with the same text.
 *
 * @param {string} root folder of the workspace
 * @returns {Promise<boolean>} true if it wrote the file
 * @throws Error that names the document if it is not valid
 */
export async function makeClientTypes(root) {
  const document = readFileSync(join(root, DOCUMENT), 'utf8');
  const file = join(root, TYPES);
  const header = headerOf(document);
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(header)) return false;
  const text = header + (await typesOf(document));
  const temporary = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(temporary, text);
  renameSync(temporary, file);
  return true;
}

/** @param {string} document */
async function typesOf(document) {
  // Takes a second to load, and is not needed if the types are current.
  const { default: openapiTypeScript, astToString } = await import('openapi-typescript');
  try {
    const nodes = await openapiTypeScript(JSON.stringify(withoutRules(JSON.parse(document))), {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      // A request can leave out a key that has a default.
      defaultNonNullable: false,
      silent: true,
    });
    return astToString(nodes);
  } catch (error) {
    throw new Error(`No client types can be made from ${DOCUMENT}: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
}

/**
 * Removes rules about dependent fields: with them, TypeScript would require the caller to prove
 * which field is set.
 *
 * @param {import('@nestjs/swagger').OpenAPIObject} document
 */
function withoutRules(document) {
  for (const schema of /** @type {Record<string, unknown>[]} */ (Object.values(document.components?.schemas ?? {}))) {
    if (schema['properties']) for (const rule of ['anyOf', 'allOf', 'if', 'then']) Reflect.deleteProperty(schema, rule);
  }
  return document;
}

/**
 * First lines of the file. They contain a hash of everything on which the types depend.
 *
 * @param {string} document
 */
function headerOf(document) {
  const require = createRequire(import.meta.url);
  const versions = ['openapi-typescript', 'typescript'].map((name) => String(require(`${name}/package.json`).version));
  const generator = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const hash = createHash('sha256').update(JSON.stringify([...versions, generator, document]));
  return `// Made by \`npm run client\` from ${DOCUMENT}. Changes here are lost.\n// Inputs: ${hash.digest('hex')}\n`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  makeClientTypes(dirname(import.meta.dirname)).then(
    (wrote) => console.log(wrote ? `Wrote ${TYPES}` : `${TYPES} is up to date`),
    (/** @type {unknown} */ error) => {
      console.error(/** @type {Error} */ (error).message);
      process.exitCode = 1;
    },
  );
}
