import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Names of the classes that files in a folder and its subfolders declare, ordered by file name.
 * Specs use it to check that a list is complete. With `mark`, such as `@Entity(`: only the first
 * class after each occurrence. Does not find `export default class` and `export abstract class`.
 */
export function declaredClasses(folder: string, path: RegExp, mark = ''): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => path.test(file));
  const texts = files
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split(mark || 'export class ')
        .slice(1),
    );
  return texts.map((text) => /^\s*(?:[^]*?export class )?(\w+)/.exec(text)?.[1] ?? '');
}
