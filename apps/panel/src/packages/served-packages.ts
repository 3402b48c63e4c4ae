import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the build says of a package. */
interface BuiltPackage {
  /** What its file is called by, before the version: `extension-sdk`. */
  key: string;
  file: string;
  size: number;
  /** Of the file, as npm records it. */
  integrity: string;
  manifest: { name: string; version: string };
}

/** What programs ask for by its address. */
export interface ServedPackage extends Pick<BuiltPackage, 'size' | 'integrity'> {
  name: string;
  version: string;
  url: string;
}

export interface ServedFile {
  body: Buffer;
  etag: string;
}

/** The packages that the build made, in memory: about a megabyte, and no path that could lead out of their folder. */
export class ServedPackages {
  /** By what each is called on this platform, such as `cli`. */
  readonly index: { packages: Record<string, ServedPackage> };
  private readonly files = new Map<string, ServedFile>();
  private readonly documents = new Map<string, object>();

  /** @throws Error when they are not built. */
  constructor(folder: string, origin: string) {
    const list = join(folder, 'index.json');
    if (!existsSync(list)) throw new Error(`There are no packages in ${folder}. Build them with: npm run build`);
    const packages: Record<string, ServedPackage> = {};
    for (const { key, file, size, integrity, manifest } of JSON.parse(readFileSync(list, 'utf8')) as BuiltPackage[]) {
      const { name, version } = manifest;
      const url = `${origin}/packages/${file}`;
      const body = readFileSync(join(folder, file));
      packages[key] = { name, version, url, size, integrity };
      this.files.set(file, { body, etag: etagOf(body) });
      const versions = { [version]: { ...manifest, dist: { tarball: url, integrity } } };
      this.documents.set(name, { name, 'dist-tags': { latest: version }, versions });
    }
    this.index = { packages };
  }

  find(file: string): ServedFile | undefined {
    return this.files.get(file);
  }

  /** As a registry of npm describes it, for projects that have a scope resolve here. */
  describe(name: string): object | undefined {
    return this.documents.get(name);
  }
}

const etagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url')}"`;
