import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Facts about a package from the build. */
interface BuiltPackage {
  /** First part of the file name: `extension-sdk`. */
  key: string;
  file: string;
  size: number;
  /** Integrity of the file, as npm records it. */
  integrity: string;
  manifest: { name: string; version: string };
}

/** Public facts about a package. */
export interface ServedPackage extends Pick<BuiltPackage, 'size' | 'integrity'> {
  name: string;
  version: string;
  url: string;
}

export interface ServedFile {
  body: Buffer;
  etag: string;
}

/**
 * Built packages, kept in memory: about a megabyte. No path of a request is used in the file
 * system.
 */
export class ServedPackages {
  /** Packages by their name on this platform, such as `cli`. */
  readonly index: { packages: Record<string, ServedPackage> };
  private readonly files = new Map<string, ServedFile>();
  private readonly documents = new Map<string, object>();

  /** @throws Error if the packages are not built. */
  constructor(folder: string, origin: string) {
    const list = join(folder, 'index.json');
    if (!existsSync(list)) throw new Error(`No packages found in ${folder}. Build them with: npm run build`);
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

  /**
   * npm metadata of a package, for projects whose scope resolves to this registry. Undefined if the
   * platform does not serve the package.
   */
  describe(name: string): object | undefined {
    return this.documents.get(name);
  }
}

const etagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url')}"`;
