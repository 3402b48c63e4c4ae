import { readFileSync } from 'node:fs';

interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Finds a package like Node.js, from a package's folder upwards. */
function find(name: string, from: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const found = packages[`${folder && `${folder}/`}node_modules/${name}`];
    if (found || !folder) return found;
  }
}

// npm omits the native packages of other systems if it writes the file next to an installation
// (npm/cli#4828). `npm ci` refuses that file, and macOS would install versions that are not
// locked. To fix it, run `npm install --package-lock-only` in a folder with only package.json and
// package-lock.json.
it('locks every package of every operating system', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !find(name, path))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

it('knows by its hash what is installed', () => {
  const others = Object.entries(packages).filter(
    ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity,
  );
  expect(others.map(([path]) => path)).toEqual([]);
});
