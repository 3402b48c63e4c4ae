import { Body, Controller, Delete, Get, Module, Param, Post, Query, Req, type INestApplication } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { Request } from 'express';
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parseConfig, serviceConfig, servicePorts } from '../config.js';
import { createLogger } from '../logging.js';
import { createService } from '../service.js';
import { IgnoresUnknownQueryKeys, RefusesUnknownQueryKeys, AcceptsQueryKey } from './query.guard.js';

class City {
  @IsString() name!: string;
}

class Person {
  @IsString() @MinLength(2) @MaxLength(5) name!: string;
  @IsInt() @Min(0) @Max(150) age!: number;
  @IsOptional() @ValidateNested() @Type(() => City) city?: City;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => City) visited?: City[];
}

class Preferences {
  @IsOptional() @IsString() color?: string;
}

const badKeys = (value: unknown) =>
  Object.keys(value as object)
    .filter((key) => key.startsWith('bad'))
    .map((key) => ({ path: [key, 0], msg: 'A bad key', type: 'bad_key' }));

/** Has a rule that reports issues inside its value. */
class Box {
  @IsObject()
  @ValidateBy(
    { name: 'hasNoBadKeys', validator: { validate: (value) => !badKeys(value).length } },
    { message: 'not shown', context: { find: badKeys } },
  )
  content!: object;
}

class Shelf {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Box) boxes!: Box[];
}

class Harbour {
  @IsArray() @ArrayMaxSize(3) @ValidateNested({ each: true }) @Type(() => City) berths!: City[];
}

class Page {
  @IsOptional() @IsString() search?: string;
  @IsOptional() @IsInt() @Type(() => Number) limit?: number;
}

class Key {
  @IsString() @MaxLength(8) id!: string;
}

@Controller('v1')
class Things {
  @Post('people') create(@Body() person: Person) {
    return { person };
  }
  @Post('preferences') prefer(@Body() preferences: Preferences) {
    return { isList: Array.isArray(preferences) };
  }
  @Post('shelves') fill(@Body() { boxes }: Shelf) {
    return { boxes };
  }
  @Post('harbours') build(@Body() { berths }: Harbour) {
    return { berths };
  }
  @Post('any') any(@Body() body: unknown) {
    return { type: typeof body };
  }
  @Post('small/any') small(@Body() _body: unknown) {
    return {};
  }
  @Delete('any') remove(@Body() body: unknown) {
    return { body };
  }
  @Get('people') list(@Query() page: Page) {
    return page;
  }
  @Get('things') @RefusesUnknownQueryKeys() @AcceptsQueryKey('tenant_id', 'Whose.') things() {
    return {};
  }
  @Get('lenient') @IgnoresUnknownQueryKeys() lenient(@Query() page: Page) {
    return page;
  }
  @Get('found') found(@Query() { color }: Preferences) {
    return { color };
  }
  @Get('raw') raw(@Req() { query }: Request) {
    return query;
  }
  @Get('people/:id') find(@Param() { id }: Key) {
    return { id };
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

let app: INestApplication;
let port: number;
let agent: Agent;
beforeAll(async () => {
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    SERVICE_TOKENS: 'test:test-service-token-0123456789',
  };
  const definition = {
    name: 'things',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: ThingsModule,
    openApi: { service: 'things', title: 'Things', description: 'Things.' },
    bodyLimits: [{ prefix: '/v1/small/', bytes: 64 * 1024, keys: 20, values: 40 }],
  };
  app = await createService(definition, createLogger('things', 'silent'));
  await app.listen(0, '127.0.0.1');
  ({ port } = (app.getHttpServer() as { address(): AddressInfo }).address());
});
beforeEach(() => (agent = new Agent({ keepAlive: true, maxSockets: 1 })));
afterEach(() => agent.destroy());
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Sends one exact request over a raw connection. */
function send(
  method: string,
  path: string,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text ? JSON.parse(text) : undefined,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (path: string, body: string | Buffer) => send('POST', path, body, JSON_TYPE);
const postJson = (path: string, body: unknown) => post(path, JSON.stringify(body));

/** Issues of a 422, as `where: type`. */
function issues({ status, body }: Answer): string[] {
  expect(status).toBe(422);
  return (body as { detail: { loc: (string | number)[]; type: string }[] }).detail.map(
    ({ loc, type }) => `${loc.join('.')}: ${type}`,
  );
}

describe('a body that is not JSON', () => {
  it.each([
    ['cut short', '{"name":"Ada"'],
    ['with a trailing comma', '{"name":"Ada",}'],
    ['with single quotes', "{'name':'Ada'}"],
    ['no JSON at all', 'name=Ada'],
    ['only spaces', '   '],
    ['a string', '"Ada"'],
    ['a number', '5'],
    ['a boolean', 'true'],
    ['null', 'null'],
    ['NaN', '{"age":NaN}'],
  ])('is refused when it is %s', async (_what, body) => {
    const answer = await post('/v1/people', body);
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] },
    });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'nonsense',
  ])('is refused by its content type: %s', async (type) => {
    const answer = await send('POST', '/v1/any', '{}', { 'Content-Type': type });
    expect(answer).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', request_id: expect.any(String) },
    });
  });

  it('is refused without a content type', async () => {
    expect((await send('POST', '/v1/any', '{}')).status).toBe(415);
  });

  it.each(['latin1', 'utf-7', 'utf-16', 'utf-16le', 'utf-32', 'x-unknown'])(
    'is refused in the charset %s',
    async (charset) => {
      const body = charset === 'utf-16le' ? Buffer.from('{}', 'utf16le') : '{}';
      const answer = await send('POST', '/v1/any', body, { 'Content-Type': `application/json; charset=${charset}` });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    },
  );

  it.each(['gzip', 'deflate', 'br', 'x-unknown'])('is refused compressed with %s', async (encoding) => {
    const body = encoding === 'gzip' ? gzipSync('{}') : 'not really compressed';
    const answer = await send('POST', '/v1/any', body, { ...JSON_TYPE, 'Content-Encoding': encoding });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON; charset="UTF-8"',
    'application/merge-patch+json',
  ])('is taken as %s', async (type) => {
    expect(await send('POST', '/v1/any', '{}', { 'Content-Type': type })).toMatchObject({
      status: 201,
      body: { type: 'object' },
    });
  });
});

describe('a body in pieces', () => {
  const chunks = (body: string) => Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('');
  const exchange = async (message: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(message);
    let answer = '';
    socket.on('data', (piece: Buffer) => (answer += piece.toString()));
    await once(socket, 'close');
    return answer;
  };
  const head = (path: string, more = '') =>
    `DELETE ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${more}\r\n`;

  it('is what was sent, however small they are', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(4_000) });
    const answer = await exchange(`${head('/v1/any', 'Connection: close\r\n')}${chunks(body)}0\r\n\r\n`);
    expect(answer).toContain(`{"body":${body}}`);
  });

  it('of one byte, thousands and thousands of them, is refused, and the connection ends', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(6_000) });
    const next = 'GET /v1/any HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await exchange(`${head('/v1/any')}${chunks(body)}0\r\n\r\n${next}`)).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
  });
});

describe('what is not a request', () => {
  const sent = async (head: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined); // the server can have closed it
    socket.write(head);
    await once(socket, 'close');
    return answer;
  };
  const LONG = 'x'.repeat(17_000);

  it.each([
    [
      'a line of more than 16 KiB',
      `GET /v1/people?search=${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'headers of more than 16 KiB',
      `GET /v1/people HTTP/1.1\r\nHost: x\r\nX-Long: ${LONG}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no HTTP', 'EHLO mail.example.org\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST /v1/any HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('has the body of every refusal: %s', async (_what, head, status, code) => {
    const [answerHead, body] = (await sent(head)).split('\r\n\r\n') as [string, string];
    expect(answerHead).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Connection: close`, 's'));
    const { request_id, ...error } = JSON.parse(body) as Record<string, string>;
    expect(error).toEqual({ detail: expect.any(String), code });
    expect(answerHead).toContain(`X-Request-Id: ${request_id}`);
    expect(answerHead).toContain(`Content-Length: ${body.length}`);
  });
});

describe('a body that is too much', () => {
  const filled = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`;

  it('may have 1 MiB and not a byte more, and the connection stays good', async () => {
    expect((await post('/v1/any', filled(1024 * 1024))).status).toBe(201);
    expect(await post('/v1/any', filled(1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    expect((await post('/v1/any', '{}')).status).toBe(201);
  });

  it.each(['/v1/small/any', '/v1/small/any/'])(
    'may have only 64 KiB where a smaller limit applies: %s',
    async (path) => {
      expect((await post(path, filled(64 * 1024))).status).toBe(201);
      expect((await post(path, filled(64 * 1024 + 1))).status).toBe(413);
      expect((await post(path, '{}')).status).toBe(201);
    },
  );

  it('is refused without its length being announced', async () => {
    const answer = await send('POST', '/v1/small/any', filled(64 * 1024 + 1), {
      ...JSON_TYPE,
      'Transfer-Encoding': 'chunked',
    });
    expect(answer.status).toBe(413);
  });

  it('is refused before it has arrived', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /v1/any HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n{"x":',
    );
    const [chunk] = await new Promise<[Buffer]>((resolve) => socket.once('data', (data: Buffer) => resolve([data])));
    socket.destroy();
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('may be nested 32 levels deep', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}[]${'}'.repeat(levels - 1)}`;
    expect((await post('/v1/any', nested(32))).status).toBe(201);
    expect(issues(await post('/v1/any', nested(33)))).toEqual(['body: json_too_deep']);
    expect(issues(await post('/v1/any', '['.repeat(1_000_000)))).toEqual(['body: json_too_deep']);
  });
});

describe('a body that says two things', () => {
  it.each([
    ['a key twice', '{"name":"Ada","age":36,"name":"Eve"}', ['body', 'name']],
    ['a key twice, written in two ways', '{"name":"Ada","age":36,"n\\u0061me":"Eve"}', ['body', 'name']],
    ['a key twice, deep down', '{"a":[{"b":1,"b":1}]}', ['body', 'a', 0, 'b']],
  ])('is refused before its route: %s', async (_what, body, loc) => {
    const answer = await post('/v1/any', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'duplicate_key', loc, request_id: expect.any(String) } });
  });

  it('is refused with a byte order mark', async () => {
    expect(await post('/v1/any', '\ufeff{}')).toMatchObject({ status: 400, body: { code: 'byte_order_mark' } });
  });

  it('is refused with more keys than its path may have', async () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));
    expect((await post('/v1/small/any', keys(20))).status).toBe(201);
    expect(issues(await post('/v1/small/any', keys(21)))).toEqual(['body: json_too_many_keys']);
    expect((await post('/v1/any', keys(21))).status).toBe(201);
  });
});

describe('a body with long lists', () => {
  it('is refused with more values than its path may have', async () => {
    const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 0));
    expect((await post('/v1/small/any', list(40))).status).toBe(201);
    expect(issues(await post('/v1/small/any', list(41)))).toEqual(['body: json_too_many_values']);
    expect((await post('/v1/any', list(10_000))).status).toBe(201);
    expect(issues(await post('/v1/any', list(10_001)))).toEqual(['body: json_too_many_values']);
    expect(issues(await postJson('/v1/people', { visited: Array.from({ length: 100_000 }, () => ({})) }))).toEqual([
      'body: json_too_many_values',
    ]);
  });

  it('is told only that a list is too long', async () => {
    const berths = Array.from({ length: 4_000 }, () => ({}));
    expect(issues(await postJson('/v1/harbours', { berths }))).toEqual(['body.berths: too_long']);
    expect(issues(await postJson('/v1/harbours', { berths: berths.slice(0, 3) }))).toHaveLength(3);
  });
});

describe('a path', () => {
  it.each(['/v1/PEOPLE', '/V1/people', '/v1/peopl%65%2f', '/v1//people'])(
    'has one way to be written: %s is another',
    async (path) => {
      expect((await send('GET', path)).status).toBe(404);
    },
  );

  it('is found with a slash at its end', async () => {
    expect((await send('GET', '/v1/people/')).status).toBe(200);
  });
});

describe('what PostgreSQL cannot store', () => {
  it.each([
    ['NUL in a value', '{"a":{"b":["x","\\u0000"]}}', 'body.a.b.1: value_error'],
    ['NUL in a key', '{"a":{"\\u0000":1}}', 'body.a: value_error'],
    ['NUL at the end of an otherwise good value', '{"name":"Ada\\u0000","age":36}', 'body.name: value_error'],
    ['a lone high surrogate', '{"a":"\\ud800"}', 'body.a: value_error'],
    ['a lone low surrogate', '{"a":"x\\udc00y"}', 'body.a: value_error'],
    ['a lone surrogate in a key', '{"\\ud800":1}', 'body: value_error'],
    ['surrogates in the wrong order', '{"a":"\\udd11\\ud83d"}', 'body.a: value_error'],
  ])('is refused in a body: %s', async (_what, body, issue) => {
    expect(issues(await post('/v1/any', body))).toEqual([issue]);
  });

  it('does not include a pair of surrogates, or other control characters', async () => {
    expect((await post('/v1/any', '{"a":"\\ud83d\\udd11 \\u0001 \\u001f","\u{1f511}":"\u{1f511}"}')).status).toBe(201);
  });

  it('is refused in a query and in a path', async () => {
    expect(issues(await send('GET', '/v1/people?search=a%00b'))).toEqual(['query: value_error']);
    expect(issues(await send('GET', '/v1/people?%00=1'))).toEqual(['query: value_error']);
    expect(issues(await send('GET', '/v1/people?other=%00'))).toEqual(['query: value_error']);
    expect(issues(await send('GET', '/v1/people/a%00b'))).toEqual(['path: value_error']);
    expect(issues(await send('GET', '/v1/people/a%00b?search=x'))).toEqual(['path: value_error']);
  });
});

describe('validation', () => {
  it('reports everything at once, in the order of the class, whatever the order of the body', async () => {
    const expected = [
      'body.age: missing',
      'body.city.name: string_type',
      'body.name: string_too_short',
      'body.visited.1.name: missing',
    ];
    const one = issues(await postJson('/v1/people', { visited: [{ name: 'Rome' }, {}], city: { name: 5 }, name: 'A' }));
    const other = issues(
      await postJson('/v1/people', { name: 'A', city: { name: 5 }, visited: [{ name: 'Rome' }, {}] }),
    );
    expect([...one].sort()).toEqual(expected);
    expect(other).toEqual(one);
    expect(one.indexOf('body.name: string_too_short')).toBeLessThan(one.indexOf('body.age: missing'));
  });

  it('says only once what is wrong with a value, and never quotes it', async () => {
    const answer = await postJson('/v1/people', { name: { $gt: 'hunter2' }, age: 'hunter2' });
    expect(issues(answer)).toEqual(['body.name: string_type', 'body.age: int_type']);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it.each([
    [{ name: 'Ada', age: -1 }, 'body.age: greater_than_equal'],
    [{ name: 'Ada', age: 151 }, 'body.age: less_than_equal'],
    [{ name: 'Ada', age: 1.5 }, 'body.age: int_type'],
    [{ name: 'Ada', age: '36' }, 'body.age: int_type'],
    [{ name: 'Adalbert', age: 36 }, 'body.name: string_too_long'],
    [{ name: ['Ada'], age: 36 }, 'body.name: string_type'],
    [{ name: null, age: 36 }, 'body.name: string_type'],
    [{ name: 'Ada', age: 36, visited: {} }, 'body.visited: list_type'],
    [{ name: 'Ada', age: 36, city: 5 }, 'body.city: value_error'],
  ])('refuses %j', async (body, issue) => {
    expect(issues(await postJson('/v1/people', body))).toContain(issue);
  });

  it('needs a body where one is expected', async () => {
    expect(issues(await send('POST', '/v1/people'))).toEqual(['body.name: missing', 'body.age: missing']);
    expect(issues(await postJson('/v1/people', {}))).toEqual(['body.name: missing', 'body.age: missing']);
  });

  it('refuses a list where an object is expected, even one that needs nothing', async () => {
    for (const list of [[], [{ name: 'Ada', age: 36 }]])
      expect(issues(await postJson('/v1/people', list))).toEqual(['body: dict_type']);
    for (const list of [[], [{ color: 'red' }]])
      expect(issues(await postJson('/v1/preferences', list))).toEqual(['body: dict_type']);
    expect((await postJson('/v1/any', [1])).status).toBe(201);
  });

  it.each(['role', '$gt', 'a.b', "it's", 'hasOwn', '0', ' name'])('refuses the unknown body key %s', async (key) => {
    const answer = await post('/v1/people', `{"name":"Ada","age":36,${JSON.stringify(key)}:{"admin":true}}`);
    expect(issues(answer)).toEqual([`body.${key}: extra_forbidden`]);
  });

  it.each(['constructor', '__proto__'])('refuses the key %s', async (key) => {
    const answer = await post('/v1/people', `{"name":"Ada","age":36,${JSON.stringify(key)}:{"admin":true}}`);
    expect(issues(answer)).toEqual([`body.${key}: extra_forbidden`]);
  });

  it.each(['toString', 'hasOwnProperty'])('refuses %s, which every record inherits', async (key) => {
    const answer = await post('/v1/people', `{"name":"Ada","age":36,${JSON.stringify(key)}:{"admin":true}}`);
    expect(issues(answer)).toEqual([`body.${key}: extra_forbidden`]);
  });

  it.each(['constructor', '__proto__'])('refuses the key %s where every other is free, at any depth', async (key) => {
    const answer = await post('/v1/any', `{"a":[{"b":{${JSON.stringify(key)}:{"admin":true}}}]}`);
    expect(issues(answer)).toEqual([`body.a.0.b.${key}: extra_forbidden`]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('refuses an unknown key in a nested object', async () => {
    expect(issues(await postJson('/v1/people', { name: 'Ada', age: 36, city: { name: 'Rome', zip: 1 } }))).toEqual([
      'body.city.zip: extra_forbidden',
    ]);
  });

  it('reports each place that a rule finds inside its value', async () => {
    const boxes = [{ content: { good: 1 } }, { content: { bad1: 1, good: 2, bad2: 3 } }, { content: 'x' }];
    expect(issues(await postJson('/v1/shelves', { boxes }))).toEqual([
      'body.boxes.1.content.bad1.0: bad_key',
      'body.boxes.1.content.bad2.0: bad_key',
      'body.boxes.2.content: dict_type',
    ]);
    expect((await postJson('/v1/shelves', { boxes: boxes.slice(0, 1) })).status).toBe(201);
  });

  it('answers at most 50 issues', async () => {
    const visited = Array.from({ length: 200 }, () => ({}));
    expect(issues(await postJson('/v1/people', { name: 'Ada', age: 36, visited }))).toHaveLength(50);
  });

  it.each([[[]], [[[]]], [[[{ name: 'Rome' }]]], [null], ['Rome'], [5], [true]])(
    'refuses the item %j where a record is expected',
    async (item) => {
      const answer = await postJson('/v1/people', { name: 'Ada', age: 36, visited: [{ name: 'Oslo' }, item] });
      expect(issues(answer)).toEqual(['body.visited.1: dict_type']);
    },
  );

  it.each([[[]], [[{ name: 'Rome' }]]])('refuses the list %j where one record is expected', async (city) => {
    expect(issues(await postJson('/v1/people', { name: 'Ada', age: 36, city }))).toEqual(['body.city: dict_type']);
  });

  it('checks the known query keys', async () => {
    expect(await send('GET', '/v1/people?search=ada&limit=5')).toMatchObject({
      status: 200,
      body: { search: 'ada', limit: 5 },
    });
    expect(issues(await send('GET', '/v1/people?limit=many'))).toEqual(['query.limit: int_type']);
    expect(issues(await send('GET', '/v1/people?search=a&search=b'))).toEqual(['query.search: string_type']);
  });

  it.each([
    ['GET', '/v1/people', 'utm_source', 'a list with filters of its own'],
    ['GET', '/v1/people', '__proto__', 'a list, of a key that objects have'],
    ['GET', '/v1/people', 'limit[]', 'a list, of a key that is nearly known'],
    ['GET', '/v1/things', 'search', 'a list without filters'],
    ['POST', '/v1/people', 'tenant_id', 'a write'],
    ['DELETE', '/v1/any', 'force', 'a deletion'],
  ])('refuses on %s %s the query key %s: %s', async (method, path, key) => {
    const answer = await send(method, `${path}?${encodeURIComponent(key)}=1`);
    expect(issues(answer)).toEqual([`query.${key}: extra_forbidden`]);
  });

  it('takes a query key that is read elsewhere than in a query class, and is documented', async () => {
    expect((await send('GET', '/v1/things?tenant_id=acme')).status).toBe(200);
    expect(issues(await send('GET', '/v1/things?tenant=acme'))).toEqual(['query.tenant: extra_forbidden']);
    const { body } = await send('GET', '/v1/openapi.json');
    const parameters = expect.arrayContaining([
      expect.objectContaining({ name: 'tenant_id', in: 'query', required: false }),
    ]);
    expect(body).toMatchObject({ paths: { '/v1/things': { get: { parameters } } } });
  });

  it.each(['/v1/lenient?search=ada&since=1', '/v1/raw?since=1'])(
    'leaves unknown query keys to the route that says so: %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(200);
    },
  );

  it.each(['/v1/people/ada?_=1', '/v1/found?color=red&_=1'])(
    'ignores unknown query keys of what reads one record: %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(200);
    },
  );

  it('checks the path', async () => {
    expect((await send('GET', '/v1/people/ada')).body).toEqual({ id: 'ada' });
    expect(issues(await send('GET', '/v1/people/much-too-long'))).toEqual(['path.id: string_too_long']);
  });

  it('reads no body of a GET, and the one of a DELETE', async () => {
    expect((await send('GET', '/v1/people', '{broken', { ...JSON_TYPE, 'Content-Length': '7' })).status).toBe(200);
    expect((await send('DELETE', '/v1/any', '{"a":1}', { ...JSON_TYPE, 'Content-Length': '7' })).body).toEqual({
      body: { a: 1 },
    });
  });
});
