import { capabilitiesOf, hostsOf, type App, type AppDocument } from '@platform/app-document';
import { comparePermissions, type RequestedPermissions } from './changes-to-review.js';

type Changes = Partial<Pick<App, 'capabilities' | 'hosts' | 'modules' | 'webhooks' | 'schedules'>> & {
  doing?: object;
  urls?: unknown[];
  events?: string[];
  redirects?: string[];
};

function asked(
  { doing = {}, urls = [], events = [], redirects = [], ...app }: Changes = {},
  requested_scopes: string[] = [],
): RequestedPermissions {
  const steps = urls.map((url, at) => ({ id: `s${at}`, kind: 'http', action: 'request', params: { url } }));
  const impl = { kind: 'declarative', steps: [] };
  const document = {
    ir_version: '1.0',
    app: {
      capabilities: [],
      functions: [
        { name: 'main', action_type: 'read', required_scopes: [], impl: { kind: 'declarative', steps }, ...doing },
      ],
      webhooks: redirects.length ? [{ path: 'in', redirect_hosts: redirects, impl }] : [],
      schedules: [],
      skeleton: [],
      events: { subscribes: events.map((type) => ({ type, impl })), emits: [] },
      ...app,
    },
  } as unknown as AppDocument;
  return {
    requested_scopes,
    document,
    hosts: hostsOf(document.app),
    capabilities: capabilitiesOf(document.app),
    approved_at: null,
  };
}

const NOTHING = { scopes: [], hosts: [], capabilities: [], events: [], webhooks: [], schedules: [], functions: [] };
const code = (source: string) => ({ modules: { main: { source, source_map: null } } });
const doing = (action_type: string, required_scopes: string[] = []) => ({ doing: { action_type, required_scopes } });
const CODE = { kind: 'code', module: 'main', entry: 'f' };
const stepsOf = (...kinds: string[]) => ({
  kind: 'declarative',
  steps: kinds.map((kind, at) => ({ id: `s${at}`, kind, action: 'do', params: {} })),
});
const webhook = (path: string, impl: object = CODE, more: object = {}) => ({
  path,
  method: 'POST',
  inbox: false,
  impl,
  ...more,
});
const schedule = (name: string, impl: object = CODE, for_each_user: string | null = null) => ({
  name,
  cron: '@daily',
  for_each_user,
  impl,
});
/** An app with code that its last review did not have. */
const ways = (webhooks: object[], schedules: object[] = []): RequestedPermissions =>
  asked({ ...code('f()'), webhooks, schedules } as unknown as Changes);
const IN_BRANCH = {
  kind: 'declarative',
  steps: [{ id: 'if', kind: 'control', action: 'if', params: { if: {}, then: stepsOf('store').steps, else: null } }],
};
const numbered = (count: number) => Array.from({ length: count }, (_none, at) => `t.a${String(at).padStart(2, '0')}`);
const addresses = (count: number) =>
  numbered(count)
    .map((host) => `https://${host}/`)
    .join(' ');
const A = 'https://a.example/x';

it.each<[string, RequestedPermissions, RequestedPermissions, object | null]>([
  ['the same', asked({ urls: [A] }, ['a:b']), asked({ urls: [A] }, ['a:b']), null],
  ['less', asked({ urls: [A], events: ['t.a'], capabilities: ['store'] }, ['a:b']), asked(), null],
  ['another scope', asked({}, ['a:b']), asked({}, ['a:b', 'a:c']), { scopes: ['a:c'] }],
  ['a scope of those that were asked for', asked({}, ['a:*']), asked({}, ['a:c']), null],
  ['all scopes of one resource', asked({}, ['a:b']), asked({}, ['a:*']), { scopes: ['a:*'] }],
  [
    'another host',
    asked({ urls: [A] }),
    asked({ urls: [A, 'https://B.example:8443/y'] }),
    { hosts: ['b.example:8443'] },
  ],
  ['another path', asked({ urls: [A] }), asked({ urls: ['https://A.example/y?z=1'] }), null],
  ['the first request', asked(), asked({ urls: [A] }), { hosts: ['a.example'], capabilities: ['http'] }],
  ['a host of a template', asked({ urls: [A] }), asked({ urls: ['https://{{event.host}}/x'] }), { hosts: ['*'] }],
  [
    'half a host of a template',
    asked({ urls: [A] }),
    asked({ urls: ['https://a.example{{event.more}}/x'] }),
    { hosts: ['*'] },
  ],
  ['any address', asked({ urls: [A] }), asked({ urls: ['{{event.url}}'] }), { hosts: ['*'] }],
  ['a host where any was asked for', asked({ urls: ['{{event.url}}'] }), asked({ urls: ['https://b.example'] }), null],
  [
    'a host with somebody in front',
    asked({ urls: [A] }),
    asked({ urls: ['https://a.example@b.example/'] }),
    { hosts: ['b.example'] },
  ],
  [
    'a redirect',
    asked({ redirects: ['a.example'] }),
    asked({ redirects: ['a.example', 'b.example'] }),
    { hosts: ['b.example'] },
  ],
  [
    'a redirect, beside any host',
    asked({ urls: ['{{event.url}}'] }),
    asked({ urls: ['{{event.url}}'], redirects: ['b.example'] }),
    { hosts: ['b.example'] },
  ],
  [
    'a host that it declares',
    asked(code(A)),
    asked({ ...code(A), hosts: ['a.example', 'b.example'] }),
    { hosts: ['b.example'] },
  ],
  ['any host, declared', asked({ hosts: ['a.example'] }), asked({ hosts: ['*'] }), { hosts: ['*'] }],
  ['what is declared of what stood in the code', asked(code(A)), asked({ ...code('f()'), hosts: ['a.example'] }), null],
  [
    'an address that code puts together, which it may not call',
    asked(code(A)),
    asked(code(`${A} 'ht' + 'tps://c.example/'`)),
    null,
  ],
  [
    'a member of the context in code',
    asked(code('ctx.store')),
    asked(code('ctx.store; ctx.notify')),
    { capabilities: ['notify'] },
  ],
  ['a member that code puts together, which it may not use', asked(code('')), asked(code('ctx["no" + "tify"]')), null],
  [
    'a member that it declares',
    asked(code('')),
    asked({ ...code(''), capabilities: ['store.queryAll'] }),
    { capabilities: ['store', 'store.queryAll'] },
  ],
  [
    'what is declared of what stood in the code',
    asked(code('ctx.notify')),
    asked({ ...code(''), capabilities: ['notify'] }),
    null,
  ],
  ['what steps used, in code', asked({ urls: [A] }), asked({ ...code(`ctx.http ${A}`) }), { capabilities: ['code'] }],
  [
    'another capability',
    asked({ capabilities: ['store'] }),
    asked({ capabilities: ['store', 'notify'] }),
    { capabilities: ['notify'] },
  ],
  [
    'a capability that is a scope, too',
    asked(),
    asked({ ...code(''), capabilities: ['store.queryAll'] }, ['store:queryAll']),
    { scopes: ['store:queryAll'], capabilities: ['code', 'store'] },
  ],
  ['code', asked(), asked(code('return 1')), { capabilities: ['code'] }],
  ['an address in code', asked(code(A)), asked(code(`${A} 'http://c.example/'`)), { hosts: ['c.example'] }],
  ['another event', asked({ events: ['t.a'] }), asked({ events: ['t.a', 't.b'] }), { events: ['t.b'] }],
  ['an event of those that it handled', asked({ events: ['t.*'] }), asked({ events: ['t.b'] }), null],
  ['all events of somebody', asked({ events: ['t.a'] }), asked({ events: ['t.*'] }), { events: ['t.*'] }],
  ['more hosts than a person reads', asked(code(addresses(20))), asked(code(addresses(21))), { hosts: ['*'] }],
  ['a host that is too long for one', asked({ urls: [A] }), asked({ urls: [A, `https://${'a'.repeat(260)}/x`] }), null],
  ['many events, all of them', asked({ events: [] }), asked({ events: numbered(60) }), { events: numbered(60) }],
  [
    'a function that is asked about no more',
    asked(doing('destructive')),
    asked(doing('read')),
    { functions: ['main'] },
  ],
  ['a function that is asked about', asked(doing('read')), asked(doing('destructive')), null],
  [
    'a scope less that callers need',
    asked(doing('read', ['a:b', 'a:c'])),
    asked(doing('read', ['a:b'])),
    { functions: ['main'] },
  ],
  ['a scope more that callers need', asked(doing('read', ['a:b'])), asked(doing('read', ['a:b', 'a:c'])), null],
  ['a webhook of code', ways([webhook('in')]), ways([webhook('in'), webhook('out')]), { webhooks: ['POST out'] }],
  [
    'a method of a webhook',
    ways([webhook('in')]),
    ways([webhook('in', CODE, { method: ['GET', 'POST'] })]),
    { webhooks: ['GET in'] },
  ],
  [
    'a webhook of steps that read',
    ways([]),
    ways([webhook('in', stepsOf('log', 'secret'))]),
    { webhooks: ['POST in'], capabilities: ['secrets'] },
  ],
  [
    'a webhook of which a branch reads',
    ways([]),
    ways([webhook('in', IN_BRANCH)]),
    { webhooks: ['POST in'], capabilities: ['store'] },
  ],
  [
    'a webhook of steps that read nothing',
    ways([]),
    ways([webhook('in', stepsOf('crypto', 'transform', 'log'))]),
    null,
  ],
  [
    'steps of a webhook that read now',
    ways([webhook('in', stepsOf('log'))]),
    ways([webhook('in')]),
    { webhooks: ['POST in'] },
  ],
  [
    'a webhook that answers by itself now',
    ways([webhook('in', CODE, { inbox: true })]),
    ways([webhook('in')]),
    { webhooks: ['POST in'] },
  ],
  ['a webhook that answers at once now', ways([webhook('in')]), ways([webhook('in', CODE, { inbox: true })]), null],
  ['an inbox', ways([]), ways([webhook('in', CODE, { inbox: true })]), { webhooks: ['POST in'] }],
  ['the same webhooks, and fewer', ways([webhook('in'), webhook('out')]), ways([webhook('out')]), null],
  ['the first schedules', ways([]), ways([], [schedule('b'), schedule('a')]), { schedules: ['a', 'b'] }],
  [
    'the first schedule that reads',
    ways([], [schedule('a', stepsOf('log'))]),
    ways([], [schedule('a')]),
    { schedules: ['a'] },
  ],
  ['a schedule that reads nothing', ways([]), ways([], [schedule('a', stepsOf('transform'))]), null],
  ['another schedule', ways([], [schedule('a')]), ways([], [schedule('a'), schedule('b')]), null],
  [
    'a schedule that runs for each user now',
    ways([], [schedule('a')]),
    ways([], [schedule('a', CODE, 'notes')]),
    { capabilities: ['asUser'], schedules: ['a'] },
  ],
  [
    'another schedule for each user',
    ways([], [schedule('a', CODE, 'notes')]),
    ways([], [schedule('a', CODE, 'notes'), schedule('b', stepsOf('log'), 'notes')]),
    { schedules: ['b'] },
  ],
  [
    'a schedule for each user of another collection',
    ways([], [schedule('a', CODE, 'notes')]),
    ways([], [schedule('a', CODE, 'tasks')]),
    { schedules: ['a'] },
  ],
  [
    'the same schedules for each user, and one for each no more',
    ways([], [schedule('a', CODE, 'notes'), schedule('b', CODE, 'notes')]),
    ways([], [schedule('a', CODE, 'notes'), schedule('b')]),
    null,
  ],
  ['an event of a function', asked(), asked({ doing: { event: 'done' } }), { capabilities: ['emit'] }],
  [
    'no document',
    asked({ urls: [A] }),
    { requested_scopes: ['a:b'], document: null, hosts: null, capabilities: null, approved_at: null },
    { scopes: ['a:b'] },
  ],
  [
    'a document after none',
    { requested_scopes: [], document: null, hosts: null, capabilities: null, approved_at: null },
    asked({ urls: [A] }),
    { hosts: ['a.example'], capabilities: ['http'] },
  ],
])('%s', (_what, before, next, found) => {
  expect(comparePermissions(before, next)).toEqual({ ...NOTHING, ...found });
});
