import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ROOT = 'apps/auth-gateway/src';
/** Import of the process settings, from which some providers are created. */
const CONFIG = /^(\.\.\/)+config\.js$/;

async function filesWith(ending: string): Promise<Map<string, string>> {
  const paths = (await readdir(ROOT, { recursive: true })).filter(
    (path) => path.endsWith(ending) && !path.endsWith('.spec.ts'),
  );
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')] as const)),
  );
}

/** Modules, which `app.module` combines. */
async function modules(): Promise<Map<string, string>> {
  const files = await filesWith('.module.ts');
  files.delete('app.module.ts');
  return files;
}

it('a folder of the gateway has one module at most', async () => {
  const folders = [...(await modules()).keys()].map((path) => dirname(path));
  expect(folders.filter((folder, at) => folders.indexOf(folder) !== at)).toEqual([]);
});

it('a module declares only what is in its folder, and imports the modules of others', async () => {
  const foreign = [...(await modules())].flatMap(([path, text]) =>
    [...text.matchAll(/ from '(\.[^']+)'/g)]
      .map(([, source = '']) => source)
      .filter((source) => !/^\.\/[^/]+$/.test(source) && !source.endsWith('.module.js') && !CONFIG.test(source))
      .map((source) => `${path} imports ${source}`),
  );
  expect(foreign).toEqual([]);
});

it('each controller and each provider is declared by the module of its folder', async () => {
  // Ignores the imports, because they name classes that other modules declare.
  const declaring = new Map(
    [...(await modules())].map(([path, text]) => [dirname(path), text.split('@Module')[1] ?? '']),
  );
  const undeclared = [...(await filesWith('.ts'))].flatMap(([path, text]) =>
    [...text.matchAll(/^@(?:Injectable|Controller)\([^\n]*\)\n(?:@[^\n]*\n)*export class (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !new RegExp(`\\b${name}[,\\]]`).test(declaring.get(dirname(path)) ?? ''))
      .map((name) => `${name} of ${path}`),
  );
  expect(undeclared).toEqual([]);
});
