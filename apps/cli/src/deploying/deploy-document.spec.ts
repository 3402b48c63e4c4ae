import { createPlatformClient } from '@platform/client';
import { deployDocument, DeployRefused } from './deploy-document.js';

const RECEIPT = {
  app_id: 'notes',
  deployed_at: '2026-11-21T00:00:00.000Z',
  steps_registered: 1,
  ir_version: '1.0',
  unchanged: false,
};
const done = () => Response.json({ status: 'success', data: RECEIPT, error: null, retryable: false });
const failed = (error: string, retryable: boolean, data: unknown = null) =>
  Response.json({ status: 'error', data, error, retryable });
const refused = (status: number, headers = {}) => Response.json({ detail: 'No.', code: 'no' }, { status, headers });

let pauses: number[];
let troubles: string[];

beforeEach(() => {
  pauses = [];
  troubles = [];
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Deploys to a platform with these answers; the last one repeats. Undefined: no answer. */
function deploy(...answers: (Response | undefined)[]) {
  let next = 0;
  const client = createPlatformClient({
    baseUrl: 'http://platform',
    fetch: () => {
      const answer = answers[Math.min(next++, answers.length - 1)];
      return answer
        ? Promise.resolve(answer.clone())
        : Promise.reject(new TypeError('fetch failed', { cause: new Error('gone') }));
    },
  });
  const pause = (ms: number) => {
    pauses.push(ms / 1000);
    jest.setSystemTime(Date.now() + ms);
    return Promise.resolve();
  };
  return deployDocument({
    client,
    userId: 'u',
    appId: 'notes',
    document: {},
    pause,
    onTrouble: (reason) => troubles.push(reason),
  });
}

describe('deployDocument', () => {
  it('tries again whatever may pass, and waits as long as it is told', async () => {
    const answers = [
      undefined,
      failed('The Registry is down.', true),
      refused(503, { 'Retry-After': '7' }),
      refused(429),
      done(),
    ];
    await expect(deploy(...answers)).resolves.toEqual(RECEIPT);
    expect(pauses).toEqual([0.5, 1, 7, 4]);
    expect(troubles).toEqual([expect.stringContaining('cannot be reached'), 'The Registry is down.', 'No.', 'No.']);
  });

  it('gives up after two minutes, with the last reason', async () => {
    await expect(deploy(failed('The Registry is down.', true))).rejects.toThrow('The Registry is down.');
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(110);
    expect(Date.now()).toBeLessThanOrEqual(120_000);
  });

  it('does not repeat what would be refused again', async () => {
    const data = { issues: [{ pointer: '/steps', rule: 'type', message: 'No.' }] };
    await expect(deploy(failed('Invalid IR — not deployed.', false, data))).rejects.toMatchObject({
      name: DeployRefused.name,
      answer: { data },
    });
    await expect(deploy(refused(404))).rejects.toMatchObject({ status: 404 });
    expect(pauses).toEqual([]);
  });
});
