import { exchangeRaw, framingAttacks, sendAndClose, type FramingTarget } from './framing-attacks.js';
import type { TestService } from './test-service.js';
import { until } from './until.js';

/**
 * Declares tests that send each attack to a service that forwards nothing, and check its log for
 * the requests that it saw. `next` is the path of a request that follows each attack on the same
 * connection.
 */
export function testFraming(start: () => Promise<TestService>, target: FramingTarget & { next: string }): void {
  const followUp = Buffer.from(`GET ${target.next} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let service: TestService;
  beforeAll(async () => {
    service = await start();
  });
  beforeEach(() => (service.logLines.length = 0));
  afterAll(() => service.stop());

  /** Method and path of each request in the service's log. */
  const seen = () =>
    service.logLines
      .map((line) => JSON.parse(line) as { req?: { method: string; path: string } })
      .flatMap(({ req }) => (req ? [`${req.method} ${req.path}`] : []));

  const attacks = framingAttacks(target);
  const named = (outcome: string) =>
    attacks
      .filter((attack) => attack.outcome === outcome)
      .map((attack) => [`${attack.family}: ${attack.name}`, attack] as const);

  it.each(named('refused'))(
    'refuses what could be two requests, and ends the connection: %s',
    async (_name, { message }) => {
      const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([message, followUp]));
      expect({ answers: answers.length, ended }).toEqual({ answers: 1, ended: true });
      expect([400, 413, 431, 505]).toContain(answers[0]?.status);
      expect(seen().slice(1)).toEqual([]);
      for (const path of [target.next, target.hidden]) expect(seen()).not.toContain(`GET ${path}`);
    },
  );

  it.each(named('broken'))('ends the connection where a body is malformed: %s', async (_name, { message, method }) => {
    const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([message, followUp]));
    expect(answers.filter(({ status }) => status < 400)).toEqual([]);
    expect({ ended, answered: answers.length > 0 }).toEqual({ ended: true, answered: true });
    expect(seen()).toEqual([`${method} ${target.path}`]);
  });

  it.each(named('one'))('takes it for one request: %s', async (_name, { message, method }) => {
    const { answers } = await exchangeRaw(service.url, Buffer.concat([message, followUp]));
    expect(answers).toHaveLength(2);
    expect(answers[0]?.status).not.toBe(400);
    await until(() => seen().length === 2);
    expect(seen()).toEqual([`${method} ${target.path}`, `GET ${target.next}`]);
  });

  it.each(named('last'))(
    'takes it for one request, and ends the connection: %s',
    async (_name, { message, method }) => {
      const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([message, followUp]));
      expect({ answers: answers.length, ended }).toEqual({ answers: 1, ended: true });
      expect([101, 400]).not.toContain(answers[0]?.status);
      await until(() => seen().length > 0);
      expect(seen()).toEqual([`${method} ${target.path}`]);
    },
  );

  it.each(named('unfinished'))('sees nothing in what is left unfinished: %s', async (_name, { message }) => {
    await sendAndClose(service.url, message);
    expect((await exchangeRaw(service.url, followUp)).answers).toHaveLength(1);
    expect(seen()).not.toContain(`GET ${target.hidden}`);
  });
}
