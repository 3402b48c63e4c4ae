import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROLES = [
  'Cache',
  'Client',
  'Controller',
  'Extension',
  'Factory',
  'Filter',
  'Guard',
  'Interceptor',
  'Limiter',
  'Listener',
  'Middleware',
  'Pipe',
  'Policy',
  'Provider',
  'Registry',
  'Relay',
  'Repository',
  'Service',
  'Store',
  'Strategy',
  'Worker',
];
const HAS_ROLE = new RegExp(`(${ROLES.join('|')})$`);
/** Methods that Nest calls on many classes. */
const HOOKS = /^(on(Module|Application)\w+|beforeApplicationShutdown|canActivate|intercept|transform|catch|use)$/;
const MOST_CLASSES = 5;

interface NamedClass {
  file: string;
  name: string;
  isExported: boolean;
  isInjectable: boolean;
  methods: string[];
}

/** The classes at the top of a file, as Prettier formats them. */
function classesIn(file: string, text: string): NamedClass[] {
  const found: NamedClass[] = [];
  let isInjectable = false;
  for (const line of text.split('\n')) {
    const [, exported, name] = /^(export )?(?:default )?(?:abstract )?class (\w+)/.exec(line) ?? [];
    if (line.startsWith('@Injectable(')) isInjectable = true;
    if (name) {
      found.push({ file, name, isExported: exported !== undefined, isInjectable, methods: [] });
      isInjectable = false;
    }
    const [, method] = /^ {2}(?:static |abstract |override |async |\*)*(\w+)(?:<.*>)?\(/.exec(line) ?? [];
    if (method && method !== 'constructor') found.at(-1)?.methods.push(method);
  }
  return found;
}

const classes: NamedClass[] = [];
beforeAll(async () => {
  for (const root of ['apps', 'libs', 'tools']) {
    const files = await readdir(root, { recursive: true });
    for (const file of files.filter((one) => /\.tsx?$/.test(one) && !/(^|\/)(generated|node_modules)\//.test(one)))
      classes.push(...classesIn(join(root, file), await readFile(join(root, file), 'utf8')));
  }
});

/** Files of the classes by a key, for keys of more than `most` classes. */
function moreThan(most: number, keys: [key: string, file: string][]): Record<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const [key, file] of keys) files.set(key, (files.get(key) ?? new Set()).add(file));
  return Object.fromEntries([...files].filter(([, of]) => of.size > most).map(([key, of]) => [key, [...of].sort()]));
}

const isTestCode = (file: string): boolean => /\.spec\.tsx?$|\/testing\//.test(file);

it('finds the classes and their methods', () => {
  const sample = `
@Injectable()
export class NotesService {
  constructor(private readonly notes: NotesRepository) {}
  async createNote(text: string): Promise<void> {
    if (text) this.notes.insert(text);
  }
  private check(): void {}
  static of<T>(value: T): T {
}
class Inner {
`;
  expect(classesIn('a.ts', sample)).toEqual([
    { file: 'a.ts', name: 'NotesService', isExported: true, isInjectable: true, methods: ['createNote', 'of'] },
    { file: 'a.ts', name: 'Inner', isExported: false, isInjectable: false, methods: [] },
  ]);
  expect(classes.length).toBeGreaterThan(1_000);
});

it('no two exported classes have the same name', () => {
  const exported = classes.filter(({ isExported }) => isExported);
  expect(
    moreThan(
      1,
      exported.map(({ name, file }) => [name, file]),
    ),
  ).toEqual({});
});

it('each injectable class ends with its role', () => {
  const injectable = classes.filter(({ isInjectable, file }) => isInjectable && !isTestCode(file));
  expect(injectable.length).toBeGreaterThan(200);
  expect(injectable.filter(({ name }) => !HAS_ROLE.test(name)).map(({ name, file }) => `${name} in ${file}`)).toEqual(
    [],
  );
});

it('each service file has a class that ends with Service', () => {
  const files = new Set(classes.map(({ file }) => file).filter((file) => file.endsWith('.service.ts')));
  for (const { file, name } of classes) if (name.endsWith('Service')) files.delete(file);
  expect([...files]).toEqual([]);
});

it(`no public method of an app stands in more than ${MOST_CLASSES} of its classes`, () => {
  const methods = classes
    .filter(({ file }) => file.startsWith('apps/') && !isTestCode(file))
    .flatMap(({ file, name, methods: own }) =>
      own
        .filter((method) => !HOOKS.test(method))
        .map((method): [string, string] => [`${file.split('/')[1]} ${method}`, `${file} ${name}`]),
    );
  expect(moreThan(MOST_CLASSES, methods)).toEqual({});
});
