import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface WebFile {
  /** File extension with the dot. */
  extension: string;
  body: Buffer;
  /** Compressed forms, smallest first. */
  encoded: { encoding: string; body: Buffer }[];
}

/** `Content-Encoding`, and the suffix that the build appends to compressed files. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

const INDEX = 'index.html';
/** The pay page, a separate document. */
const PAY = 'pay.html';

/**
 * Built front end, kept in memory: less than a megabyte. No path of a request is used in the file
 * system.
 */
export class WebFiles {
  readonly index: string;
  readonly pay: string;
  private readonly files = new Map<string, WebFile>();

  /** @throws Error if the front end is not built. */
  constructor(folder: string) {
    const contents = new Map(namesIn(folder).map((name) => [name, readFileSync(join(folder, name))]));
    const index = contents.get(INDEX);
    const pay = contents.get(PAY);
    if (!index || !pay) throw new Error(`No front end found in ${folder}. Build it with: npm run build`);
    this.index = index.toString();
    this.pay = pay.toString();
    for (const [name, body] of contents) {
      if ([INDEX, PAY].includes(name) || ENCODINGS.some(({ suffix }) => name.endsWith(suffix))) continue;
      const encoded = ENCODINGS.flatMap(({ encoding, suffix }) => {
        const compressed = contents.get(`${name}${suffix}`);
        return compressed ? [{ encoding, body: compressed }] : [];
      });
      this.files.set(`/${name.split(sep).join('/')}`, { extension: extname(name), body, encoded });
    }
  }

  /** Finds a file by the path of its URL; undefined if there is none. */
  find(path: string): WebFile | undefined {
    return this.files.get(path);
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
