import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface WebFile {
  /** Of its name, with the dot. */
  extension: string;
  body: Buffer;
  /** The same, compressed; the smallest first. */
  encoded: { encoding: string; body: Buffer }[];
}

/** `Content-Encoding`, and what the build appends to the name of a compressed file. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

const INDEX = 'index.html';
/** The page to pay: a document of its own. */
const PAY = 'pay.html';

/** What the build made of the front end, in memory: less than a megabyte, and no path that could lead out of its folder. */
export class WebFiles {
  readonly index: string;
  readonly pay: string;
  private readonly files = new Map<string, WebFile>();

  /** @throws Error when the front end is not built. */
  constructor(folder: string) {
    const contents = new Map(namesIn(folder).map((name) => [name, readFileSync(join(folder, name))]));
    const index = contents.get(INDEX);
    const pay = contents.get(PAY);
    if (!index || !pay) throw new Error(`There is no front end in ${folder}. Build it with: npm run build`);
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

  /** By the path of its URL. */
  find(path: string): WebFile | undefined {
    return this.files.get(path);
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
