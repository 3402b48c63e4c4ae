import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const services = ['auth-gateway', 'registry', 'ext-webhook-host', 'panel'].map(
  (app) => `dist/apps/${app}/src/main.bundle.js`,
);
const workers = ['auth-gateway', 'ext-webhook-host'].map((app) => `dist/apps/${app}/src/worker.bundle.js`);
const files = [
  ...services,
  ...workers,
  ...readdirSync('dist/bundled').map((name) => join('dist/bundled', name)),
].filter((file) => file.endsWith('.js'));

/**
 * A message that occurs once in the sources is traced from each bundle to the line that throws it.
 */
it.each([
  ['expected name:token,name:token', 'libs/platform/src/config.ts'],
  ['The data source is closed.', 'libs/persistence/src/prepared.ts'],
])('the maps beside the bundles lead to the line of "%s"', (message, source) => {
  // esbuild can break a line within a text.
  const written = new RegExp(Array.from(message, (letter) => (letter === '.' ? '\\.' : letter)).join('(?:\\\\\\n)?'));
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const at = text.search(written);
    if (at < 0) return [];
    const before = text.slice(0, at).split('\n');
    const place = { line: before.length, column: before.at(-1)?.length ?? 0 };
    return [originalPositionFor(new TraceMap(readFileSync(`${file}.map`, 'utf8')), place)];
  });
  expect(found.length).toBeGreaterThan(0);
  const line =
    readFileSync(source, 'utf8')
      .split('\n')
      .findIndex((each) => each.includes(message)) + 1;
  for (const place of found) expect(place).toMatchObject({ source, line });
});

it('no file that programs share finds files by where it lies itself', () => {
  const shared = files
    .filter((file) => file.startsWith('dist/bundled/'))
    .filter((file) => readFileSync(file, 'utf8').includes('../../../sandbox/'));
  expect(shared).toEqual([]);
});

it('those of services have maps of their own, and the lines that load them have none', () => {
  for (const file of [...services, ...workers]) {
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    expect(sources.length).toBeGreaterThan(10);
    expect(existsSync(`${file.replace('.bundle', '')}.map`)).toBe(false);
  }
});

it.each([
  ['libphonenumber-js', 'metadata.min.json.js', 'country_calling_codes'],
  ['multer', 'index.js', 'Expected object for argument options'],
  ['raw-body', 'index.js', 'request size did not match content length'],
  ['js-yaml', 'dist/js-yaml.mjs', 'unacceptable kind of an object to dump'],
  ['undici', 'lib/web/cookies/util.js', 'Invalid cookie max-age'],
])('code of %s that nobody uses is left out: %s', (library, file, text) => {
  expect(readFileSync(join('node_modules', library, file), 'utf8')).toContain(text);
  expect(files.filter((bundle) => readFileSync(bundle, 'utf8').includes(text))).toEqual([]);
});

it("no service or worker loads Node.js's own undici at its start", async () => {
  // pg reads `Response`, and so loads it, where there is no `navigator`: in Node.js 20, but not in
  // 24.
  const printLoaded = `globalThis.navigator ??= { userAgent: 'Node.js' };
    const isMeant = (name) => /^NativeModule (http$|.*undici)/.test(name);
    process.on('exit', () => process.stdout.write(process.moduleLoadList.filter(isMeant).join()));`;
  const loadedBy = (file: string) =>
    new Promise<string>((resolve) => {
      const arguments_ = ['--import', `data:text/javascript,${encodeURIComponent(printLoaded)}`, file];
      // Without its variables the program ends once it has loaded its modules.
      execFile(process.execPath, arguments_, { env: { NODE_ENV: 'production' } }, (_error, stdout, stderr) => {
        const hasLoaded = / is required: /.test(stderr);
        resolve(hasLoaded ? stdout : stderr);
      });
    });
  const programs = [...services, ...workers];
  expect(await Promise.all(programs.map(loadedBy))).toEqual(programs.map(() => 'NativeModule http'));
});

it.each(['leanSubtrees', 'jsonParser'])(
  '%s, whose text is sent to browsers, is given no names by esbuild, which they would have to define',
  (plugin) => {
    const named = files.flatMap((file) => {
      const [, first] = new RegExp(`function ${plugin}\\([^]*?__name\\(([^,]*)`).exec(readFileSync(file, 'utf8')) ?? [];
      return first === undefined ? [] : [first.trim()];
    });
    expect(new Set(named)).toEqual(new Set([plugin])); // the first name is the plugin itself, after its text
  },
);
