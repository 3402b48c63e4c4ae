import { documentHash, LIMITS, moduleOf, parseAppDocument, type AppDocument } from '../index.js';

const code = (module: string, entry?: string) => ({ module, ...(entry !== undefined && { entry }) });
const declare = (name: string, at: object) => ({ id: name, kind: 'function', action: name, params: { code: at } });
const simple = (modules: unknown, ...declarations: unknown[]) => ({
  app_id: 'notes',
  version: '1.0.0',
  modules,
  steps: declarations,
});

const documentOf = (value: unknown): AppDocument => {
  const result = parseAppDocument(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues, null, 2));
  return result.document;
};
const issuesOf = (value: unknown) => {
  const result = parseAppDocument(value);
  return result.ok ? [] : result.issues;
};
const found = (value: unknown): string[] => issuesOf(value).map(({ pointer, rule }) => `${pointer} ${rule}`);

const EVERY_KIND_OF_EXPORT = `
  import { helper } from './other';
  import * as all from './other.js';
  import './other.js';
  export * from './other';
  export * as other from './other.js';
  export { helper as passed_on } from './other';
  export { helper };
  export const a = 1, { b, c: [d, ...e], ...f } = all, [g = 2] = [];
  export function h() {}
  export async function* i() {}
  export class j { #private = 1; static { this.x = 1; } }
  export default async (event, ctx) => { for await (const page of ctx.pages) console.log(page?.size ?? 0); };
`;

describe('a handler in code', () => {
  it('names an export of a module, in all ways to export something', () => {
    const names = ['default', 'passed_on', 'helper', 'other', 'from_star', 'a', 'b', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const modules = {
      main: EVERY_KIND_OF_EXPORT,
      other: { source: 'export function helper() {} export const from_star = 1; export default 1;' },
    };
    const document = documentOf(simple(modules, ...names.map((name) => declare(`f_${name}`, code('main', name)))));
    expect(document.app.functions.map(({ impl }) => impl)).toEqual(
      names.map((entry) => ({ kind: 'code', module: 'main', entry })),
    );
    expect(document.app.modules).toEqual({
      main: { source: EVERY_KIND_OF_EXPORT, source_map: null },
      other: { source: modules.other.source, source_map: null },
    });
  });

  it('may be any kind of handler in either form', () => {
    const modules = { main: 'export default () => 1;' };
    const handlers = [
      declare('f', code('main')),
      { id: 'w', kind: 'webhook', action: 'in', params: { code: code('main') } },
      { id: 's', kind: 'schedule', action: 'hourly', params: { cron: '@hourly', code: code('main') } },
      { id: 'e', kind: 'event', action: 'tasks.added', params: { code: code('main') } },
    ];
    const { app } = documentOf(simple(modules, ...handlers));
    const impl = { kind: 'code', module: 'main', entry: 'default' };
    expect([app.functions[0], app.webhooks[0], app.schedules[0], app.events.subscribes[0]]).toEqual(
      [{}, {}, {}, {}].map(() => expect.objectContaining({ impl }) as unknown),
    );
    const envelope = {
      ir_version: '1.0',
      app: { id: 'notes', version: '1.0.0', title: 'notes', modules, functions: [{ name: 'f', impl }] },
    };
    expect(documentOf(envelope)).toEqual(documentOf(simple(modules, declare('f', code('main')))));
  });

  it('destroys, unless it says otherwise', () => {
    const gentle = { ...declare('g', {}), params: { action_type: 'read', code: code('main') } };
    const { functions } = documentOf(simple({ main: 'export default 1' }, declare('f', code('main')), gentle)).app;
    expect(functions.map(({ action_type }) => action_type)).toEqual(['destructive', 'read']);
  });
});

describe('modules', () => {
  it('make one hash, however they are written', () => {
    const [one, other] = [
      simple({ a: 'export default 1', b: { source: '' } }),
      simple({ b: '', a: { source_map: null, source: 'export default 1' } }),
    ];
    expect(documentHash(documentOf(one))).toBe(documentHash(documentOf(other)));
  });

  it('leave documents without any as they were', () => {
    expect(documentOf(simple({})).app).not.toHaveProperty('modules');
    // Hash of this document from before modules existed.
    expect(documentHash(documentOf(simple({})))).toBe(
      '8eef64097d40ccd2fefc217cdecdaf5449f7a13742df9f46e8b1fbf828d2f16f',
    );
  });

  it('may have 512 KiB and source maps of 1 MiB beside the 256 KiB of the rest', () => {
    const map = JSON.stringify({ version: 3, sources: [], mappings: '' });
    const modules = {
      a: { source: '\n'.repeat(LIMITS.sourceBytes - 100), source_map: map.padEnd(LIMITS.sourceMapBytes) },
      b: '/* ä */'.repeat(10),
    };
    const log = { id: 'log', kind: 'log', action: 'info', params: { message: 'x'.repeat(250_000) } };
    const document = documentOf(simple(modules, log));
    expect(documentOf(document)).toEqual(document);
    expect(JSON.stringify(document).length).toBeLessThan(LIMITS.bodyBytes);
  });

  it('import each other in a circle', () => {
    const modules = {
      a: "import { b } from './b'; export const a = () => b; export * from './b';",
      b: "import { a } from './a'; export const b = () => a; export * from './a';",
    };
    expect(found(simple(modules, declare('f', code('a', 'b'))))).toEqual([]);
    expect(found(simple(modules, declare('f', code('a', 'c'))))).toEqual(['/steps/0/params/code/entry unknown_export']);
  });

  it('are told by their place what is wrong with them', () => {
    const modules = { main: { source: 'const a = 1;\n  export default a +;\n' }, twice: 'let a;\nlet a;' };
    expect(issuesOf(simple(modules))).toEqual([
      { pointer: '/modules/main/source', rule: 'syntax', message: 'Unexpected token, at 2:21.' },
      { pointer: '/modules/twice', rule: 'syntax', message: "Identifier 'a' has already been declared, at 2:5." },
    ]);
    expect(issuesOf(simple({ a: "import fs from 'node:fs';", b: "\nimport { x } from './c';", c: '' }))).toEqual([
      {
        pointer: '/modules/a',
        rule: 'unknown_module',
        message:
          'Cannot import "node:fs", at 1:1. Code can only import modules of this document, as "./<name>". Use ctx.http for requests.',
      },
      { pointer: '/modules/b', rule: 'unknown_export', message: 'The module "c" has no export "x" to import, at 2:1.' },
    ]);
  });

  const deepArray = '['.repeat(100_000);
  const declarations = (count: number) => Array.from({ length: count }, (_, at) => `a${at.toString(36)}`).join(',');
  it.each<[string, unknown, string[]]>([
    ['no object', [], ['/modules type']],
    ['no text', { a: 1 }, ['/modules/a type']],
    ['no source', { a: {} }, ['/modules/a required']],
    ['more than a source', { a: { source: '', url: '' } }, ['/modules/a/url unknown_key']],
    ['a source map that is none', { a: { source: '', source_map: '{}' } }, ['/modules/a/source_map value']],
    ['a name with a dot', { 'a.js': '' }, ['/modules/a.js value']],
    ['a name that objects inherit', { constructor: '' }, ['/modules/constructor reserved_name']],
    [
      'a name that changes prototypes',
      JSON.parse('{"__proto__": {"source": ""}}'),
      ['/modules/__proto__ reserved_name', '/modules/__proto__ value'],
    ],
    ['a NUL character', { a: '"\0"' }, ['/modules/a json']],
    ['21 modules', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`m${at}`, ''])), ['/modules too_many']],
    ['too much source', { a: ' '.repeat(300_000), b: 'ä'.repeat(150_000) }, ['/modules document_size']],
    [
      'too much of source maps',
      { a: { source: '', source_map: '{"version":3,"sources":[],"mappings":""}'.padEnd(LIMITS.sourceMapBytes + 1) } },
      ['/modules document_size'],
    ],
    ['await outside of a function', { a: 'await 1;' }, ['/modules/a syntax']],
    ['a script', { a: 'with (a) b;' }, ['/modules/a syntax']],
    ['TypeScript', { a: 'const a: number = 1;' }, ['/modules/a syntax']],
    ['an import of itself that is not there', { a: "export { x } from './a';" }, ['/modules/a unknown_export']],
    ['a module outside', { a: "export * from '../b';" }, ['/modules/a unknown_module']],
    ['100,000 lists in each other', { a: deepArray }, ['/modules/a syntax']],
    ['100,000 groups in each other', { a: `/${'('.repeat(100_000)}/` }, ['/modules/a syntax']],
    ['300 blocks in each other', { a: '{'.repeat(300) + '}'.repeat(300) }, ['/modules/a syntax']],
    [
      'many declarations in 200 blocks',
      { a: `${'{'.repeat(200)}var ${declarations(80_000)}${'}'.repeat(200)}` },
      ['/modules/a syntax'],
    ],
    ['nothing, but 90,000 declarations', { a: `let ${declarations(90_000)}` }, []],
    ['nothing, but exports of all of them', { a: `export let ${declarations(90_000)}` }, []],
  ])('with %s are refused in no time', async (_what, modules, expected) => {
    expect(found(simple(modules)).sort()).toEqual(expected);
    await new Promise((resolve) => setTimeout(resolve)); // lets Jest's time limit fire
  });

  it('and what refers to them', () => {
    const modules = { good: 'export const f = 1;', broken: '(' };
    const handlers = [
      declare('a', code('good', 'g')),
      declare('b', code('gone')),
      declare('c', code('broken', 'unknown')),
      { id: 'd', kind: 'webhook', action: 'd', params: { steps: [], code: code('good', 'f') } },
      { id: 'e', kind: 'webhook', action: 'e', params: {} },
      declare('f', { module: 'good', entry: 7 }),
    ];
    expect(found(simple(modules, ...handlers)).sort()).toEqual([
      '/modules/broken syntax',
      '/steps/0/params/code/entry unknown_export',
      '/steps/1/params/code/module unknown_module',
      '/steps/3/params required',
      '/steps/4/params required',
      '/steps/5/params/code/entry type',
    ]);
    const panel = { panel_id: 'p', slot: 'center', render: { kind: 'code', module: 'good', entry: 'gone' } };
    expect(found({ ...simple(modules.good && { good: modules.good }), ui: { panels: [panel] } })).toEqual([
      '/ui/panels/0/render/entry unknown_export',
    ]);
  });
});

it('tells the module that an import means', () => {
  expect(['./a', './a.js', './a.ts', 'a', '../a', './A', './a/b'].map(moduleOf)).toEqual([
    'a',
    'a',
    null,
    null,
    null,
    null,
    null,
  ]);
});

describe('the schema of an event', () => {
  const emits = (emission: unknown) => ({
    app_id: 'notes',
    version: '1.0.0',
    steps: [],
    events: { emits: [emission] },
  });

  it('is kept', () => {
    const emission = { type: 'notes.created', payload_schema: { type: 'object', required: ['id'] } };
    expect(documentOf(emits(emission)).app.events.emits).toEqual([{ ...emission, schema_ref: null }]);
    expect(documentOf(emits({ type: 'notes.created', payload_schema: null })).app.events.emits).toEqual([
      { type: 'notes.created', schema_ref: null },
    ]);
  });

  it('is one', () => {
    expect(found(emits({ type: 'notes.created', payload_schema: { type: 'objekt' } }))).toEqual([
      '/events/emits/0/payload_schema/type json_schema',
    ]);
  });
});
