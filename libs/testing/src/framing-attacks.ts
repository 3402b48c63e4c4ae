import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Paths of one service for the attacks. */
export interface FramingTarget {
  /** Path of the attacks. It accepts any method. */
  path: string;
  /** Path that an attack tries to request secretly. No normal request uses it. */
  hidden: string;
}

export interface FramingAttack {
  family: string;
  name: string;
  /** Exact bytes to send. */
  message: Buffer;
  /**
   * `refused`: an error such as 400, no request, and the connection ends. `broken`: like
   * `refused`, but a route that reads no body can have answered before. `one`: exactly one
   * request, with this body. `last`: like `one`, and the connection ends. `unfinished`: no answer
   * and no request, because the message is incomplete.
   */
  outcome: 'refused' | 'broken' | 'one' | 'last' | 'unfinished';
  method: string;
  /** Body of the only request. */
  body: string;
}

type Variant = [name: string, message: string, body?: string];

/**
 * Variants of each published kind of request smuggling:
 * https://portswigger.net/research/http-desync-attacks and its successors.
 */
export function framingAttacks({ path, hidden }: FramingTarget): FramingAttack[] {
  const inner = `GET ${hidden} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const open = `${hidden} HTTP/1.1\r\nX: `; // takes the first line of the next request as a header
  const length = inner.length;
  const hex = length.toString(16);
  const post = (headers: string, body = '') => `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
  const get = (headers: string, body = '', line = `GET ${path} HTTP/1.1`) => `${line}\r\n${headers}\r\n${body}`;
  const chunked = (headers: string, body: string) => post(`${headers}Transfer-Encoding: chunked\r\n`, body);
  const both = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n';
  const nominated = (name: string, method = 'POST', header = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\n${header}Connection: ${name}\r\nContent-Length: ${length}\r\n\r\n${inner}`;
  const encoded = (line: string) => post(`${line}\r\n`, `0\r\n\r\n${inner}`);

  const refused: Record<string, Variant[]> = {
    'CL.TE': [
      ['length first', post(both, `0\r\n\r\n${inner}`)],
      [
        'with a request that is left open',
        post(`Content-Length: ${5 + open.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${open}`),
      ],
      ['with GET', post(both, `0\r\n\r\n${inner}`).replace('POST', 'GET')],
      [
        'with a length of zero',
        post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', `${hex}\r\n${inner}\r\n0\r\n\r\n`),
      ],
    ],
    'TE.CL': [
      [
        'encoding first',
        post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `${hex}\r\n${inner}\r\n0\r\n\r\n`),
      ],
      ['with an empty encoding', post(`Transfer-Encoding:\r\nContent-Length: ${length}\r\n`, inner)],
      ['with identity', post(`Transfer-Encoding: identity\r\nContent-Length: ${length}\r\n`, inner)],
    ],
    'TE.TE': [
      ['xchunked', encoded('Transfer-Encoding: xchunked')],
      ['gzip, chunked', encoded('Transfer-Encoding: gzip, chunked')],
      ['x, then chunked', encoded('Transfer-Encoding: x\r\nTransfer-Encoding: chunked')],
      ['chunked, then x', encoded('Transfer-Encoding: chunked\r\nTransfer-Encoding: x')],
      ['chunked twice', encoded('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
      ['chunked, identity', encoded('Transfer-Encoding: chunked, identity')],
      ['identity, chunked', encoded('Transfer-Encoding: identity, chunked')],
      ['a space before the colon', encoded('Transfer-Encoding : chunked')],
      ['a tab before the colon', encoded('Transfer-Encoding\t: chunked')],
      ['a vertical tab before the value', encoded('Transfer-Encoding: \x0bchunked')],
      ['a space that does not break', encoded('Transfer-Encoding: \xa0chunked')],
      ['NUL behind the value', encoded('Transfer-Encoding: chunked\0')],
      ['quotes', encoded('Transfer-Encoding: "chunked"')],
      ['a parameter', encoded('Transfer-Encoding: chunked;a=b')],
      ['nothing', encoded('Transfer-Encoding:')],
      ['an underscore in the name', encoded('Transfer_Encoding: chunked')],
      [
        'a header that hides it behind a carriage return',
        encoded('X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5'),
      ],
      ['a header that hides it behind a line feed', encoded('X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5')],
      ['with HTTP/1.0', encoded('Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0')],
    ],
    'nominated headers': [
      ...NOMINATED.map((name): Variant => [name, nominated(name)]),
      ['content-length, with GET', nominated('content-length', 'GET')],
      ['content-length, with DELETE', nominated('content-length', 'DELETE')],
      ['content-length, with HEAD', nominated('content-length', 'HEAD')],
      ['content-length, with OPTIONS', nominated('content-length', 'OPTIONS')],
      ['in other letters, beside close', nominated('close, CONTENT-Length')],
      ['in a second header', nominated('close\r\nConnection: content-length')],
      ['between empty ones', nominated(',,\tcontent-length ,')],
      ['with a parameter', nominated('content-length;q=1')],
      ['in quotes', nominated('"content-length"')],
      ['behind a space', nominated('close content-length')],
      [
        'the encoding of a body in chunks',
        chunked('Connection: transfer-encoding\r\n', `${hex}\r\n${inner}\r\n0\r\n\r\n`),
      ],
      ['many', nominated(Array.from({ length: 11 }, (_, n) => `x-${n}`).join())],
    ],
    'two lengths': [
      ['different', post(`Content-Length: 0\r\nContent-Length: ${length}\r\n`, inner)],
      ['different, the longer first', post(`Content-Length: ${length}\r\nContent-Length: 0\r\n`, inner)],
      ['equal', post(`Content-Length: ${length}\r\nContent-Length: ${length}\r\n`, inner)],
      ['a list', post(`Content-Length: ${length}, ${length}\r\n`, inner)],
      ['a list of two', post(`Content-Length: 0, ${length}\r\n`, inner)],
    ],
    'a length that is none': [
      ['signed', post(`Content-Length: +${length}\r\n`, inner)],
      ['negative', post('Content-Length: -1\r\n', inner)],
      ['hexadecimal', post(`Content-Length: 0x${hex}\r\n`, inner)],
      ['with an exponent', post('Content-Length: 1e1\r\n', inner)],
      ['with a fraction', post('Content-Length: 1.0\r\n', inner)],
      ['empty', post('Content-Length:\r\n', inner)],
      ['two numbers', post(`Content-Length: 0 ${length}\r\n`, inner)],
      ['beyond 64 bits', post('Content-Length: 18446744073709551617\r\n', inner)],
      ['behind a vertical tab', post(`Content-Length: \x0b${length}\r\n`, inner)],
      ['an underscore in the name', post(`Content_Length: ${length}\r\n`, inner)],
      ['a space before the colon', post(`Content-Length : ${length}\r\n`, inner)],
    ],
    'bare LF': [
      ['everywhere', `GET ${path} HTTP/1.1\nHost: a\n\n`],
      ['behind the request line', `GET ${path} HTTP/1.1\nHost: a\r\n\r\n`],
      ['behind a header', `POST ${path} HTTP/1.1\r\nHost: a\nContent-Length: ${length}\r\n\r\n${inner}`],
      ['at the end of the headers', `GET ${path} HTTP/1.1\r\nHost: a\r\n\n`],
    ],
    'bare CR': [
      ['behind a header', post(`X: a\rContent-Length: ${length}\r\n`, inner)],
      ['at the end of the headers', `GET ${path} HTTP/1.1\r\nHost: a\r\n\r${inner}`],
    ],
    'obs-fold': [
      ['of the encoding', encoded('Transfer-Encoding:\r\n chunked')],
      ['of the encoding, with a tab', encoded('Transfer-Encoding: x\r\n\tchunked')],
      ['of the length', post(`Content-Length:\r\n ${length}\r\n`, inner)],
      ['of the length, in two', post('Content-Length: 1\r\n 0\r\n', inner)],
      ['that hides a length', post(`X: a\r\n Content-Length: ${length}\r\n`, inner)],
      [
        'of the first header',
        `POST ${path} HTTP/1.1\r\n Host: a\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${inner}`,
      ],
      ['of what is nominated', nominated('close,\r\n content-length')],
    ],
    'two hosts': [
      ['different', get('Host: a\r\nHost: b\r\n')],
      ['equal', get('Host: a\r\nHost: a\r\n')],
      ['in other letters', get('Host: a\r\nhOST: b\r\n')],
      ['in a list', get('Host: a, b\r\n')],
      ['with a space', get('Host: a b\r\n')],
      ['with a user', get('Host: a@b\r\n')],
      ['with a path', get('Host: a/b\r\n')],
      ['in the request line', get('Host: a\r\n', '', `GET http://b${path} HTTP/1.1`)],
      ['none', get('')],
      ['an empty one', get('Host:\r\n')],
    ],
    'two types': [
      ['of a body', post('Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n', '{}')],
    ],
    'the request line': [
      ['with a fragment', get('Host: a\r\n', '', `GET ${path}#x HTTP/1.1`)],
      ['with a space in the path', get('Host: a\r\n', '', `GET ${path} x HTTP/1.1`)],
      ['with a line feed in the path', get('Host: a\r\n', '', `GET ${path}\nx HTTP/1.1`)],
      ['with bytes beyond ASCII', get('Host: a\r\n', '', `GET ${path}\xe9 HTTP/1.1`)],
      ['with an asterisk', get('Host: a\r\n', '', 'OPTIONS * HTTP/1.1')],
      ['of HTTP/0.9', `GET ${path}\r\n`],
      ['that says HTTP/0.9', get('Host: a\r\n', '', `GET ${path} HTTP/0.9`)],
      ['that says HTTP/2.0', get('Host: a\r\n', '', `GET ${path} HTTP/2.0`)],
      ['of the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ],
    headers: [
      ['without a name', get('Host: a\r\n: b\r\n')],
      ['without a colon', get('Host: a\r\nb\r\n')],
      ['with NUL in a name', get('Host: a\r\nb\0: c\r\n')],
      ['with NUL in a value', get('Host: a\r\nb: c\0\r\n')],
      [
        'so many that those that frame would be left out',
        post(`${'X: a\r\n'.repeat(2_010)}Content-Length: ${length}\r\n`, inner),
      ],
    ],
  };

  const broken: Record<string, Variant[]> = {
    'bare LF in chunks': [
      ['behind the size of a chunk', chunked('', `${hex}\n${inner}\r\n0\r\n\r\n`)],
      ['behind the data of a chunk', chunked('', `${hex}\r\n${inner}\n0\r\n\r\n`)],
      ['at the end of the chunks', chunked('', `${hex}\r\n${inner}\r\n0\n\n`)],
    ],
    'bare CR in chunks': [['behind the size of a chunk', chunked('', `${hex}\r${inner}\r\n0\r\n\r\n`)]],
    'chunk extensions': [
      ['with a line feed', chunked('', `2;a\nxx\r\n${hex}\r\n0\r\n\r\n${inner}`)],
      ['with a carriage return', chunked('', `2;a\rxx\r\n${hex}\r\n0\r\n\r\n${inner}`)],
      ['with a quote that is left open', chunked('', `2;a="b\r\nxx\r\n0\r\n\r\n`)],
      ['with a line feed in quotes', chunked('', `2;a="b\n"\r\nxx\r\n0\r\n\r\n`)],
      ['with NUL', chunked('', '2;a\0\r\nxx\r\n0\r\n\r\n')],
      ['without a name', chunked('', '2;\r\nxx\r\n0\r\n\r\n')],
      ['of 20 kB', chunked('', `2;a=${'b'.repeat(20_000)}\r\nxx\r\n0\r\n\r\n`)],
    ],
    chunks: [
      ['with a size in another notation', chunked('', `0x${hex}\r\n${inner}\r\n0\r\n\r\n`)],
      ['with a signed size', chunked('', `+${hex}\r\n${inner}\r\n0\r\n\r\n`)],
      ['with a space before the size', chunked('', ` ${hex}\r\n${inner}\r\n0\r\n\r\n`)],
      ['with a space behind the size', chunked('', `${hex} \r\n${inner}\r\n0\r\n\r\n`)],
      ['without a size', chunked('', `\r\n${inner}`)],
      ['with a size beyond 64 bits', chunked('', `10000000000000001\r\n${inner}\r\n0\r\n\r\n`)],
      ['longer than their size', chunked('', `1\r\n${inner}\r\n0\r\n\r\n`)],
      ['with trailers that frame', chunked('', `1\r\nx\r\n0\r\nContent-Length: ${length}\r\n\r\n${inner}`)],
      ['with trailers that encode', chunked('', `1\r\nx\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n${inner}`)],
    ],
  };

  const one: Record<string, Variant[]> = {
    'a body on a method without one': ['GET', 'DELETE', 'OPTIONS', 'HEAD'].flatMap((method): Variant[] => [
      [`${method}, with a length`, post(`Content-Length: ${length}\r\n`, inner).replace('POST', method), inner],
      [`${method}, in chunks`, chunked('', `${hex}\r\n${inner}\r\n0\r\n\r\n`).replace('POST', method), inner],
      [`${method}, with a length of zero`, post('Content-Length: 0\r\n').replace('POST', method)],
      [`${method}, with chunks of nothing`, chunked('', '0\r\n\r\n').replace('POST', method)],
    ]),
    'a body that is framed well': [
      ['in chunks', chunked('', `${hex}\r\n${inner}\r\n0\r\n\r\n`), inner],
      [
        'in chunks of one byte',
        chunked('', `${Array.from(inner, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
        inner,
      ],
      ['in thousands of chunks of one byte', chunked('', `${'1\r\nx\r\n'.repeat(4_000)}0\r\n\r\n`), 'x'.repeat(4_000)],
      ['in chunks with extensions', chunked('', `${hex};a=b;c="d"\r\n${inner}\r\n0\r\n\r\n`), inner],
      ['in chunks with zeros before the size', chunked('', `0000${hex}\r\n${inner}\r\n000\r\n\r\n`), inner],
      ['in chunks with trailers', chunked('', `${hex}\r\n${inner}\r\n0\r\nX-Trailer: 1\r\n\r\n`), inner],
      [
        'in chunks, in other letters',
        post('transfer-encoding:\tCHUNKED\r\n', `${hex}\r\n${inner}\r\n0\r\n\r\n`),
        inner,
      ],
      ['with zeros before the length', post(`Content-Length: 000${length}\r\n`, inner), inner],
      ['with spaces around the length', post(`Content-Length:  ${length} \r\n`, inner), inner],
      ['that is asked for first', post(`Expect: 100-continue\r\nContent-Length: ${length}\r\n`, inner), inner],
      [
        'with options of the connection',
        post(`Connection: keep-alive, X-Named, TE\r\nX-Named: 1\r\nContent-Length: ${length}\r\n`, inner),
        inner,
      ],
      [
        'with an option for a protocol that it does not ask for',
        post(`Connection: upgrade\r\nContent-Length: ${length}\r\n`, inner),
        inner,
      ],
      [
        'with a protocol that is no option',
        post(`Connection: keep-alive\r\nUpgrade: h2c\r\nContent-Length: ${length}\r\n`, inner),
        inner,
      ],
      ['behind empty lines', `\r\n\r\n${post(`Content-Length: ${length}\r\n`, inner)}`, inner],
      ['of nothing', post('')],
    ],
  };

  const upgrade = (protocol: string, options: string, method = 'POST') =>
    nominated(options, method, `Upgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n`);
  const last: Record<string, Variant[]> = {
    'another protocol': [
      ['WebSocket', upgrade('websocket', 'upgrade'), inner],
      ['WebSocket, with GET', upgrade('websocket', 'keep-alive, Upgrade', 'GET'), inner],
      ['HTTP/2', upgrade('h2c', 'Upgrade, HTTP2-Settings'), inner],
      ['HTTP/2, in a second header', upgrade('h2c', 'HTTP2-Settings\r\nConnection: UPGRADE'), inner],
      [
        'with a body in chunks',
        chunked('Connection: upgrade\r\nUpgrade: a, b/1\r\n', `${hex}\r\n${inner}\r\n0\r\n\r\n`),
        inner,
      ],
      [
        'with a body that is asked for first',
        upgrade('h2c', 'Upgrade').replace('Host: a', 'Host: a\r\nExpect: 100-continue'),
        inner,
      ],
      ['without a body', get('Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')],
      ['with HTTP/1.0', upgrade('websocket', 'upgrade').replace('HTTP/1.1', 'HTTP/1.0'), inner],
    ],
  };

  const unfinished: Record<string, Variant[]> = {
    'early close': [
      ['in the middle of a body', post(`Content-Length: ${length + 100}\r\n`, inner)],
      ['in the middle of a chunk', chunked('', `fff\r\n${inner}`)],
      ['between chunks', chunked('', `${hex}\r\n${inner}\r\n`)],
      ['before the last line', chunked('', `${hex}\r\n${inner}\r\n0\r\n`)],
      ['in the middle of the headers', `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Le`],
    ],
  };

  const listed = (outcome: FramingAttack['outcome'], families: Record<string, Variant[]>): FramingAttack[] =>
    Object.entries(families).flatMap(([family, variants]) =>
      variants.map(([name, message, body = '']) => {
        const method = /^\s*(\w+) /.exec(message)?.[1] ?? '';
        return { family, name, message: Buffer.from(message, 'latin1'), outcome, method, body };
      }),
    );
  return [
    ...listed('refused', refused),
    ...listed('broken', broken),
    ...listed('one', one),
    ...listed('last', last),
    ...listed('unfinished', unfinished),
  ];
}

/** Headers that frame a message, route it, name its sender, or authenticate it. */
const NOMINATED = [
  ...['content-length', 'transfer-encoding', 'content-type', 'content-encoding', 'expect', 'host'],
  ...[
    'authorization',
    'proxy-authorization',
    'cookie',
    'x-service-token',
    'x-acting-user',
    'x-acting-session',
    'x-api-key',
    'x-csrf-token',
  ],
  ...[
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'x-real-ip',
    'x-client-ip',
    'via',
    'x-request-id',
  ],
  ...['x-original-url', 'x-http-method-override', 'origin', 'sec-fetch-site', 'date', 'idempotency-key'],
  ...[
    'x-hub-signature-256',
    'stripe-signature',
    'x-gitlab-token',
    'x-shopify-hmac-sha256',
    'webhook-id',
    'x-ssl-client-cert',
  ],
];

export interface RawExchange {
  /** Answers in order, without 1xx answers. */
  answers: { status: number; body: string }[];
  /** True if the server ended the connection. */
  ended: boolean;
}

/**
 * Sends bytes on a new connection, and returns the answers. Waits until the server ends the
 * connection, `answers` answers have arrived, or five seconds have passed; then it closes the
 * connection.
 */
export async function exchangeRaw(url: string, message: Uint8Array | string, answers = Infinity): Promise<RawExchange> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  const state = { ended: false };
  socket.on('error', () => undefined); // the server can close it while we send
  const closed = once(socket, 'close').then(() => (state.ended = true));
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.write(message);
  const parse = () => parseAnswers(Buffer.concat(received).toString('latin1'));
  const deadline = performance.now() + 5_000;
  while (!state.ended && parse().length < answers && performance.now() < deadline)
    await Promise.race([closed, delay(5)]);
  const { ended } = state; // before we close it
  const answered = parse();
  socket.destroy();
  return { answers: answered, ended };
}

/** Sends bytes, and closes the connection 20 ms later, without reading an answer. */
export async function sendAndClose(url: string, message: Uint8Array | string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((done) => socket.write(message, done));
  await delay(20); // lets the server begin
  socket.destroy();
}

/**
 * Splits received text into its answers, without those of status 100. The body is the text after
 * the headers; chunks are not decoded.
 */
function parseAnswers(text: string): RawExchange['answers'] {
  const starts = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)];
  return starts.flatMap(({ 1: status, index }, at) => {
    if (status === '100') return [];
    const answer = text.slice(index, starts[at + 1]?.index);
    return [{ status: Number(status), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }];
  });
}
