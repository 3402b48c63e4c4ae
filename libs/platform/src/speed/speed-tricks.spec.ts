import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { getMetadataStorage, IsString, validate } from 'class-validator';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { request } from 'undici';
import { parseConfig, serviceConfig, servicePorts } from '../config.js';
import { createService } from '../service.js';
import { acceptedInputs, isAccepted } from './accepted-inputs.js';
import { Cancellation } from './cancellation.js';
import { docsParser } from './docs-parser.js';
import { docsSubtrees } from './docs-subtrees.js';
import { expressPrototypes } from './express-prototypes.js';
import { rememberedRules, rememberRules } from './remembered-rules.js';

@Controller('v1/things')
class Things {
  @Get() list(): string[] {
    return [];
  }
  @Get('never') never(): Promise<never> {
    return new Promise(() => undefined);
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

class Thing {
  @IsString() name = 'a';
}

const ENV = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://unused',
  SERVICE_TOKENS: 'test:test-service-token-0123456789',
};
const openApi = { service: 'things', title: 'Things', description: 'Of a test.' };
const tricks = [acceptedInputs, docsParser, docsSubtrees, expressPrototypes, rememberedRules];

describe.each([
  ['on', true],
  ['off', false],
])('with the tricks %s', (_state, isOn) => {
  let app: INestApplication;
  let origin: string;
  let url: string;
  beforeAll(async () => {
    for (const trick of tricks) trick.isOn = isOn;
    const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, ENV);
    app = await createService({ name: 'things', config, module: ThingsModule, openApi }, pino({ level: 'silent' }));
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
    origin = `http://127.0.0.1:${port}`;
    url = `${origin}/v1/things`;
  });
  afterAll(async () => {
    for (const trick of tricks) trick.isOn = true;
    await app.close();
  });
  afterEach(() => jest.restoreAllMocks());

  it(`requests and responses ${isOn ? 'keep' : 'change'} the prototype when Express sets it`, async () => {
    const { setPrototypeOf } = Object;
    const changes: boolean[] = [];
    jest.spyOn(Object, 'setPrototypeOf').mockImplementation((target: object, prototype: object | null) => {
      if ('httpVersion' in target || 'writableEnded' in target)
        changes.push(Object.getPrototypeOf(target) !== prototype);
      return setPrototypeOf(target, prototype) as object;
    });
    expect((await request(url)).statusCode).toBe(200);
    expect(changes).toEqual([!isOn, !isOn]);
  });

  it(`the rules of a class are sought ${isOn ? 'once' : 'each time'}`, () => {
    const find = jest.fn(() => []);
    const storage: Pick<ReturnType<typeof getMetadataStorage>, 'getTargetValidationMetadatas'> = {
      getTargetValidationMetadatas: find,
    };
    rememberRules(storage);
    rememberRules(storage);
    for (let time = 0; time < 3; time++) storage.getTargetValidationMetadatas(Thing, '', false, false);
    expect(find).toHaveBeenCalledTimes(isOn ? 1 : 3);
  });

  it(`what is good is ${isOn ? 'accepted at once' : 'left to class-validator'}`, () => {
    expect(isAccepted(new Thing())).toBe(isOn);
  });

  it(`the page of the document ${isOn ? 'has' : 'is without'} their plugins of Swagger UI`, async () => {
    const text = await (await request(`${origin}/docs/swagger-ui-init.js`)).body.text();
    expect(['function leanSubtrees(', 'function jsonParser('].map((plugin) => text.includes(plugin))).toEqual([
      isOn,
      isOn,
    ]);
  });

  it('undici takes a Cancellation for a signal', async () => {
    const gone = new Cancellation();
    expect(gone instanceof EventTarget).toBe(false);
    const answer = request(`${url}/never`, { signal: gone });
    setImmediate(() => gone.abort(new Error('nobody waits')));
    await expect(answer).rejects.toThrow('nobody waits');
  });
});

it('class-validator asks its storage for the rules of what it validates', async () => {
  const find = jest.spyOn(getMetadataStorage(), 'getTargetValidationMetadatas');
  expect(await validate(new Thing())).toEqual([]);
  expect(find.mock.calls.map(([type]) => type)).toContain(Thing);
  find.mockRestore();
});
