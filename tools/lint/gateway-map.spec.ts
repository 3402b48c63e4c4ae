import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const ROOT = 'apps/auth-gateway/src';

/** The folders that hold files, but those of generated ones and of the migrations of features. */
async function foldersThereAre(): Promise<string[]> {
  const files = await readdir(ROOT, { recursive: true });
  const folders = files.filter((file) => file.endsWith('.ts')).map((file) => dirname(file));
  return [...new Set(folders)].filter((folder) => folder !== '.' && !/\/(generated|migrations)$/.test(folder)).sort();
}

/** Those of the table in docs/architecture.md: `group/` in its first column, and in the second what is in it. */
async function foldersOfMap(): Promise<string[]> {
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
    const isGroup = first.startsWith('`');
    if (first) group = isGroup ? first.slice(1, -1) : '';
    const folders = [...second.matchAll(/`([^`]+)\/`/g)].map(([, folder = '']) => group + folder);
    return isGroup ? [group.slice(0, -1), ...folders] : folders;
  });
}

it('the map of the gateway names each folder, and none that there is not', async () => {
  expect((await foldersOfMap()).sort()).toEqual(await foldersThereAre());
});
