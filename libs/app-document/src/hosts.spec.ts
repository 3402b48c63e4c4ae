import { hostOf, hostsOf, parseAppDocument } from './index.js';

interface Written {
  hosts?: string[];
  urls?: string[];
  code?: string;
}

const written = ({ hosts, urls = [], code }: Written) => ({
  app_id: 'notes',
  version: '1.0.0',
  ...(hosts && { hosts }),
  ...(code !== undefined && { modules: { main: code } }),
  steps: urls.map((url, at) => ({ id: `s${at}`, kind: 'http', action: 'get', params: { url } })),
});
function asked(parts: Written): string[] {
  const result = parseAppDocument(written(parts));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return hostsOf(result.document.app);
}
const numbered = (count: number) => Array.from({ length: count }, (_none, at) => `h${at}.example`);
const step = (url: string) => ({ id: 'a', op: 'http.get', args: { url } });
const source = (count: number) =>
  numbered(count)
    .map((host) => `// https://${host}/\n`)
    .join('');

describe('the hosts that an app asks for', () => {
  it.each<[string, Written, string[]]>([
    ['nothing', {}, []],
    [
      'plain addresses of steps',
      { urls: ['https://B.example./x', 'http://a.example:8080?y', 'https://b.example:443'] },
      ['a.example:8080', 'b.example'],
    ],
    [
      'a template behind the host',
      { urls: ['https://a.example/{{ event.id }}', 'https://b.example?{{ event.q }}'] },
      ['a.example', 'b.example'],
    ],
    ['a host of a template', { urls: ['https://{{ event.host }}/'] }, ['*']],
    ['half a host of a template', { urls: ['https://a.example{{ event.more }}/'] }, ['*']],
    ['a template as the port', { urls: ['https://a.example:{{ event.port }}/'] }, ['*']],
    ['somebody in front of a host', { urls: ['https://a.example@b.example/'] }, ['b.example']],
    ['backslashes', { urls: ['https://a.example\\b'] }, ['a.example']],
    [
      'other scripts',
      { urls: ['https://bücher.example/'], code: '"https://ΑΒΓ.example"' },
      ['xn--bcher-kva.example', 'xn--mxacd.example'],
    ],
    [
      'numbers for an address',
      { urls: ['http://2130706433:8080/', 'http://[0::1]:8080/'] },
      ['127.0.0.1:8080', '[::1]:8080'],
    ],
    ['what is no address that can be called', { urls: ['http://', 'https://[x]/', `https://${'a'.repeat(260)}/`] }, []],
    [
      'an asterisk for a host, which is no word for all',
      { urls: ['https://*/'], code: 'f("https://*/", "https://*.example")' },
      [],
    ],
    [
      'addresses in code',
      { code: 'f("https://a.example/x", `http://B.example:8080${path}`, "https://" + host) // https://c.example' },
      ['a.example', 'b.example:8080', 'c.example'],
    ],
    [
      'addresses that code puts together or spells',
      { code: 'f("https:\\/\\/a.example", "ht" + "tps://b.example", "\\x68ttps://c.example")' },
      [],
    ],
    ['as many as a person reads', { code: source(20) }, numbered(20).sort()],
    ['more than a person reads', { code: source(21) }, ['*']],
    [
      'what is declared, instead of what stands in the code',
      { hosts: ['b.example', 'a.example:443', 'a.example'], code: '"https://c.example"' },
      ['a.example', 'b.example'],
    ],
    [
      'what is declared, beside plain addresses of steps',
      { hosts: ['b.example'], urls: ['https://a.example/'] },
      ['a.example', 'b.example'],
    ],
    [
      'what is declared, where a template makes a host',
      { hosts: ['b.example'], urls: ['https://{{ event.host }}/'] },
      ['b.example'],
    ],
    ['none, declared as such', { hosts: [], urls: ['https://{{ event.host }}/'], code: source(21) }, []],
    ['all, declared as such', { hosts: ['*'], urls: ['https://a.example/'] }, ['*']],
  ])('of %s', (_what, parts, expected) => {
    expect(asked(parts)).toEqual(expected);
  });

  it('are declared as they stand in addresses', () => {
    const good = [
      '*',
      'a.example',
      'a-b.example:8080',
      'localhost:9000',
      '127.0.0.1',
      '[::1]:9000',
      'my_service',
      'xn--bcher-kva.example',
    ];
    expect(asked({ hosts: good.slice(1) })).toEqual([...good.slice(1)].sort());
    const bad = [
      '',
      'A.example',
      'https://a.example',
      'a.example/x',
      '*.example',
      '*:80',
      'a@b',
      'bücher.example',
      'a.example.',
      '1.2.3.400',
      'a:99999',
      '[1]',
    ];
    for (const host of bad) {
      const result = parseAppDocument(written({ hosts: ['a.example', host] }));
      expect([host, result.ok || result.issues.map(({ pointer, rule }) => `${pointer} ${rule}`)]).toEqual([
        host,
        ['/hosts/1 value'],
      ]);
    }
    expect(parseAppDocument(written({ hosts: numbered(21) }))).toMatchObject({
      ok: false,
      issues: [{ pointer: '/hosts', rule: 'too_many' }],
    });
  });

  it('are at most 50 with those of its steps, where it declares some', () => {
    const urls = (count: number) => numbered(count).map((host) => `https://${host}/`);
    const hosts = numbered(20).map((host) => `declared.${host}`);
    expect(asked({ hosts, urls: urls(30) })).toHaveLength(50);
    expect(asked({ hosts: numbered(20), urls: [...urls(50), ...urls(50)] })).toHaveLength(50);
    for (const [declared, count] of [
      [hosts, 31],
      [[], 51],
    ] as const) {
      expect(parseAppDocument(written({ hosts: [...declared], urls: urls(count) }))).toEqual({
        ok: false,
        issues: [{ pointer: '/hosts', rule: 'too_many', message: expect.stringContaining(`requests 51 hosts`) }],
      });
    }
    const app = { id: 'notes', version: '1.0.0', title: 'Notes', hosts: [], functions: [] };
    const webhooks = urls(51).map((url, at) => ({
      path: `w${at}`,
      method: 'POST',
      impl: { kind: 'declarative', steps: [step(url)] },
    }));
    expect(parseAppDocument({ ir_version: '1.0', app: { ...app, webhooks } })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/app/hosts', rule: 'too_many', message: expect.stringContaining('declare "hosts": ["*"]') }],
    });
    expect(asked({ hosts: ['*'], urls: urls(51) })).toEqual(['*']);
    expect(asked({ urls: urls(51) })).toEqual(['*']);
  });

  it('are in the document where it declares them, and only there', () => {
    const documents = [undefined, [], ['a.example']].map((hosts) => parseAppDocument(written(hosts ? { hosts } : {})));
    expect(documents.map((result) => result.ok && result.document.app.hosts)).toEqual([undefined, [], ['a.example']]);
    for (const result of documents)
      if (result.ok) expect(parseAppDocument(result.document)).toMatchObject({ ok: true, document: result.document });
  });
});

it('spells the host of an address in one way', () => {
  const addresses = [
    'https://A.example.:443/x',
    'http://a.example:80',
    'http://a.example:443',
    'https://a.example:8443',
  ];
  expect(addresses.map((address) => hostOf(new URL(address)))).toEqual([
    'a.example',
    'a.example',
    'a.example',
    'a.example:8443',
  ]);
});
