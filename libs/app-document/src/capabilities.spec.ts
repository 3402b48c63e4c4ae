import { readFileSync } from 'node:fs';
import { DECLARABLE_CAPABILITIES, capabilitiesOf, CONTEXT, parseAppDocument } from './index.js';

interface Written {
  capabilities?: string[];
  steps?: [kind: string, action: string, params: object][];
  code?: string;
  /** Last segment of the type of the published event. */
  event?: string;
  forEachUser?: string;
}

const LOG = { id: 'say', kind: 'log', action: 'info', params: { message: 'a' } };

function asked({ capabilities = [], steps = [], code, event, forEachUser }: Written): string[] {
  const result = parseAppDocument({
    app_id: 'notes',
    version: '1.0.0',
    capabilities,
    ...(code !== undefined && { modules: { main: `export const f = (event, ctx) => { ${code} }` } }),
    steps: [
      ...steps.map(([kind, action, params], at) => ({ id: `s${at}`, kind, action, params })),
      ...(event
        ? [{ id: 'f', kind: 'function', action: 'f', params: { description: 'Does it.', event, steps: [LOG] } }]
        : []),
      ...(forEachUser
        ? [
            {
              id: 's',
              kind: 'schedule',
              action: 's',
              params: { cron: '@daily', for_each_user: forEachUser, steps: [LOG] },
            },
          ]
        : []),
    ],
  });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return capabilitiesOf(result.document.app);
}

const BRANCH = {
  if: { field: 1, eq: 1 },
  then: [{ id: 'a', kind: 'http', action: 'get', params: { url: 'https://a.example' } }],
  else: [],
};
const NO_HANDLERS = { functions: [], webhooks: [], schedules: [], events: { subscribes: [], emits: [] }, skeleton: [] };

describe('what of its context an app asks for', () => {
  it.each<[string, Written, string[]]>([
    ['nothing', {}, []],
    [
      'nothing that has to be asked for',
      { code: 'ctx.log(ctx.user.email); ctx.time; ctx.webhook; ctx.once("a"); ctx.app' },
      [],
    ],
    [
      'what steps use',
      {
        steps: [
          ['store', 'count', { kind: 'a' }],
          ['call', 'other.f', {}],
          ['log', 'info', { message: 'a' }],
        ],
      },
      ['store', 'call'],
    ],
    ['what steps in branches use', { steps: [['control', 'if', BRANCH]] }, ['http']],
    [
      'members behind a dot',
      { code: 'ctx.notify.send({}); ctx?.cache; ctx\n  . ai; ctx.billingOf; ctxhttp' },
      ['cache', 'notify', 'ai'],
    ],
    [
      'members by a text',
      { code: 'ctx["http"]; ctx[`secrets`]; ctx[\'config\']; "no http here"' },
      ['http', 'config', 'secrets'],
    ],
    [
      'members taken apart',
      { code: 'const { http: other, store, asUser = 1 } = ctx; (({storage}) => storage)(ctx)' },
      ['store', 'http', 'storage', 'asUser'],
    ],
    [
      'members by another name of the context',
      { code: 'const c = ctx; c.notify.forUser("a")' },
      ['notify', 'notify.forUser'],
    ],
    ['members of a part', { code: 'const { store } = ctx; store.queryAll("a")' }, ['store', 'store.queryAll']],
    ['no members of a part that stands nowhere', { code: 'list.forUser(); f.call(); bus.emit()' }, []],
    [
      'functions and events of extensions',
      { code: 'const { extensions: e } = ctx; e.emit("a"); e.call("b")' },
      ['call', 'emit'],
    ],
    ['extensions without what is used of them', { code: 'ctx.extensions[event.what]()' }, []],
    [
      'members that are put together or spelled',
      { code: 'ctx["no" + "tify"]; ctx["\\x6eotify"]; ctx.\\u006eotify; ctx["emit"]' },
      [],
    ],
    [
      'what is declared',
      { capabilities: ['emit', 'notify', 'notes:read', 'store:write', 'nothing'] },
      ['emit', 'notify'],
    ],
    ['a part by what is declared of it', { capabilities: ['store.queryAll'] }, ['store', 'store.queryAll']],
    [
      'what is used of a part that is declared',
      { capabilities: ['store'], code: 'part.listUsers()' },
      ['store', 'store.listUsers'],
    ],
    ['what is published of a function', { event: 'done' }, ['emit']],
    ['what runs for each user', { forEachUser: 'notes' }, ['asUser']],
    ['everything', { capabilities: [...DECLARABLE_CAPABILITIES] }, [...DECLARABLE_CAPABILITIES]],
  ])('%s', (_what, written, members) => {
    expect(asked(written)).toEqual(members);
  });

  it('is found in as much code as a document may have, of any kind, without delay', () => {
    const texts = [
      '.'.repeat(500_000),
      `{${' '.repeat(500_000)}`,
      ', '.repeat(250_000),
      '.store'.repeat(80_000),
      '"'.repeat(500_000),
    ];
    const apps = texts.map((source) => ({
      capabilities: [],
      modules: { main: { source, source_map: null } },
      ...NO_HANDLERS,
    }));
    expect(apps.map(capabilitiesOf)).toEqual([[], [], [], ['store'], []]);
  });
});

it('docs/app-document.md lists what an app asks for, and what is there for every version', () => {
  const [, list = '', rest = ''] =
    /\n## Capabilities\n.*?\n\n(`store`.*?)\n\n.*?The rest of the context \((.*?)\)/s.exec(
      readFileSync('docs/app-document.md', 'utf8'),
    ) ?? [];
  const named = (text: string) =>
    [...text.matchAll(/`([\w.]+)`/g)].map(([, name]) => name).filter((name) => name !== 'ctx.extensions');
  expect(named(list)).toEqual([...DECLARABLE_CAPABILITIES]);
  const members = Object.keys(CONTEXT).filter(
    (name) => name !== 'extensions' && !(DECLARABLE_CAPABILITIES as readonly string[]).includes(name),
  );
  expect(named(rest).sort()).toEqual(members.sort());
});
