import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Circle } from './folder-circles.mjs';
import { FOLDER_GROUPS } from './folder-groups.config.mjs';

const BACK = "import { a } from '../a/a.js';";

/** Sources in one folder that import another folder, which imports the first. */
const VALUES = [
  "import { b } from '../b/b.js';",
  "import { type B, b } from '../b/b.js';",
  "import b from '../b/b.js';",
  "import * as b from '../b/b.js';",
  "import '../b/b.js';",
  "export { b } from '../b/b.js';",
  "export * from '../b/b.js';",
  "const b = await import('../b/b.js');",
];
const NO_VALUES = [
  "import type { B } from '../b/b.js';",
  "import { type B } from '../b/b.js';",
  "export type { B } from '../b/b.js';",
  "export { type B } from '../b/b.js';",
  "export type * from '../b/b.js';",
  "import { b } from './b.js';",
  "import { b } from 'b';",
];

interface Sample {
  files: Record<string, string>;
  except?: string[];
  circles: string[][];
}

const SAMPLES: Record<string, Sample> = {
  ...Object.fromEntries(
    VALUES.map((text) => [
      `counts a value: ${text}`,
      { files: { 'a/a.ts': text, 'b/b.ts': BACK }, circles: [['a', 'b']] },
    ]),
  ),
  ...Object.fromEntries(
    NO_VALUES.map((text) => [`does not count: ${text}`, { files: { 'a/a.ts': text, 'b/b.ts': BACK }, circles: [] }]),
  ),
  'finds circles of several folders, and of a folder with one inside it': {
    files: {
      'a/a.ts': "import { b } from '../b/b.js';",
      'b/b.ts': "import { c } from '../c/c.js';",
      'c/c.ts': BACK,
      'd/d.ts': "import { e } from './inside/e.js';",
      'd/inside/e.ts': "import { a } from '../../a/a.js'; import { other } from '../other.js';",
      'f/f.ts': BACK,
    },
    circles: [
      ['a', 'b', 'c'],
      ['d', 'd/inside'],
    ],
  },
  'looks at neither specs nor what puts the folders together': {
    files: {
      'a/a.ts': "import { b } from '../b/b.js';",
      'b/b.spec.ts': BACK,
      'b/b.ts': "import { helper } from '../testing/helper.js'; import { all } from '../all.js';",
      'testing/helper.ts': BACK,
      'all.ts': "import { b } from './b/b.js';",
    },
    except: ['testing', 'all'],
    circles: [],
  },
};

/** Runs all cases in one separate process, because loading TypeScript's parser is slow. */
const SCRIPT = `
  import { folderCircles } from './tools/lint/folder-circles.mjs';
  console.log(JSON.stringify(JSON.parse(process.argv[1]).map(([root, except]) => folderCircles(root, except))));
`;

let found: Map<string, Circle[]>;
let samples: string;
const folderOf = (name: string): string => join(samples, String(Object.keys(SAMPLES).indexOf(name)));

beforeAll(async () => {
  samples = await mkdtemp(join(tmpdir(), 'folder-circles-'));
  for (const [name, { files }] of Object.entries(SAMPLES)) {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folderOf(name), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  const asked = [
    ...FOLDER_GROUPS.map(({ root, top }) => [root, top] as const),
    ...Object.entries(SAMPLES).map(([name, { except }]) => [folderOf(name), except ?? []] as const),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    SCRIPT,
    JSON.stringify(asked),
  ]);
  const circles = JSON.parse(stdout) as Circle[][];
  found = new Map(asked.map(([root], at) => [root, circles[at] ?? []]));
});
afterAll(() => rm(samples, { recursive: true, force: true }));

it.each(FOLDER_GROUPS.map(({ root, page }) => [root, page]))(
  'the folders of %s do not import each other in a circle',
  (root, page) => {
    const described = found
      .get(root)
      ?.map(({ arrows }) =>
        [
          ...arrows.map(({ file, source }) => `${file} imports ${source}`),
          `Move what two of the folders share into a third, or import a type: ${page}`,
        ].join('\n'),
      );
    expect(described).toEqual([]);
  },
);

it.each(Object.entries(SAMPLES))('%s', (name, { circles }) => {
  const folders = found.get(folderOf(name))?.map((circle) => circle.folders);
  expect(folders?.sort()).toEqual(circles);
});
