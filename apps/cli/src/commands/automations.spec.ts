import { FakePlatform } from '../testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const success = {
  status: 'success',
  data: null,
  summary: null,
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
};
const failure = {
  ...success,
  status: 'error',
  error: 'prompt: Begin with what to wait for',
  error_code: 'VALIDATION_TYPE_ERROR',
};

describe('platform automations', () => {
  const rule = {
    ...{ id: 17, status: 'active', interpretation: 'Every day at 09:00 UTC: message “x\u001b[2J”', trigger_count: 3 },
    ...{ next_at: '2026-11-22T09:00:00.000Z', last_error: null },
  };

  it('creates one from a prompt, with its limits', async () => {
    platform.answer = () => [200, { ...success, data: rule }];
    const limits = ['--cooldown', '0', '--max-per-hour', '60', '--times', '5', '--notify', 'all'];
    expect(await platform.run('automations', 'create', 'every minute: message "x"', ...limits)).toBeNull();
    expect(platform.asked[1]).toMatchObject({
      line: 'POST /v1/extensions/automations/call',
      body: {
        function: 'create_automation',
        params: {
          prompt: 'every minute: message "x"',
          cooldown_seconds: 0,
          max_per_hour: 60,
          max_iterations: 5,
          notify_mode: 'all',
        },
      },
    });
    expect(platform.printed).toBe('Automation 17. Every day at 09:00 UTC: message “x[2J”\n');
    platform.answer = () => [200, failure];
    expect(await platform.run('automations', 'create', 'x')).toMatchObject({ exitCode: 1 });
  });

  it('lists them', async () => {
    platform.answer = () => [200, [rule]];
    expect(await platform.run('automations', 'list')).toBeNull();
    expect(platform.printed).toContain('17  active  Every day at 09:00 UTC');
    platform.answer = () => [200, []];
    expect(await platform.run('automations', 'list')).toBeNull();
    expect(platform.printed).toContain('You have no automations.');
  });

  it.each([
    ['pause', 'POST /v1/automations/17/pause', 'Automation 17 is paused.'],
    ['resume', 'POST /v1/automations/17/resume', 'Automation 17 is active.'],
    ['delete', 'DELETE /v1/automations/17', 'Automation 17 was deleted.'],
  ])('%s', async (name, line, text) => {
    platform.answer = () => [200, { id: 17 }];
    expect(await platform.run('automations', name, '17')).toBeNull();
    expect([platform.asked.map((one) => one.line), platform.printed]).toEqual([[line], `${text}\n`]);
    expect(await platform.run('automations', name, 'x')).not.toBeNull();
    expect(platform.asked).toHaveLength(1);
  });
});
