import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FOLDER_GROUPS } from './folder-groups.config.mjs';

const ROOT = 'apps/auth-gateway/src';
const GROUPS = FOLDER_GROUPS.find(({ root }) => root === ROOT)?.order.flat() ?? [];
const LISTS_OF_GROUPS = new Set(
  GROUPS.flatMap((group) => ['module', 'schema'].map((what) => `${group}/${group}.${what}.ts`)),
);

/**
 * Folders with files, except generated ones and migrations of features. Files directly in a
 * group's folder count, except its module, its schema, specs and test factories.
 */
async function placesThereAre(): Promise<string[]> {
  const files = (await readdir(ROOT, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const folders = files
    .map((file) => dirname(file))
    .filter(
      (folder) =>
        folder !== '.' && !GROUPS.includes(folder) && !/\/(generated|migrations)(\/|$)|^migrations\//.test(folder),
    );
  const ofGroups = files
    .filter(
      (file) => GROUPS.includes(dirname(file)) && !/\.(spec|content)\.ts$/.test(file) && !LISTS_OF_GROUPS.has(file),
    )
    .map((file) => file.slice(0, -'.ts'.length));
  return [...new Set([...folders, ...ofGroups])].sort();
}

/**
 * Places in the table of docs/architecture.md: the first column is `group/`, the second lists its
 * content.
 */
async function placesOfMap(): Promise<string[]> {
  const text = await readFile('docs/architecture.md', 'utf8');
  const [, section = ''] = text.split('\n## The gateway\n');
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  let group = '';
  return rows.flatMap((row) => {
    const [, first = '', second = ''] = row.split('|').map((cell) => cell.trim());
    if (first) group = first.startsWith('`') ? first.slice(1, -1) : '';
    const named = [...second.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    // Files outside of groups need no row.
    return named.filter((name) => group || name.endsWith('/')).map((name) => group + name.replace(/\/$/, ''));
  });
}

it('the map of the gateway names each folder, and each file that a group has of its own, and none that there is not', async () => {
  expect((await placesOfMap()).sort()).toEqual(await placesThereAre());
});
