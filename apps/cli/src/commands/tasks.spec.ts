import { FakePlatform } from '../testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const TASK = {
  ...{
    task_id: 'tsk_1',
    status: 'running',
    app_id: 'notes',
    function: 'search',
    progress: 40,
    message: 'Page 4\u001b[2J',
    result: null,
  },
  ...{ created_at: '2026-11-27T12:00:00.000Z', updated_at: '2026-11-27T12:00:09.000Z', finished_at: null },
};
const RESULT = {
  status: 'success',
  data: { n: 7 },
  summary: 'Found.',
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
};

describe('platform tasks', () => {
  it.each([[[]], [['list']]])('lists those that wait or run (%j)', async (words) => {
    platform.answer = () => [200, { tasks: [TASK] }];
    expect(await platform.run('tasks', ...words)).toBeNull();
    expect(platform.asked.map(({ line }) => line)).toEqual(['GET /v1/tasks/active']);
    expect(platform.printed).toMatch(/\ntsk_1 +running +notes\.search +40 % +2026-11-27 \d\d:\d\d +Page 4\S*\n$/);
    expect(platform.printed).not.toContain('\u001b');
    platform.answer = () => [200, { tasks: [] }];
    expect(await platform.run('tasks', 'list')).toBeNull();
    expect(platform.printed).toContain('No tasks are waiting or running.\n');
  });

  it.each([
    [TASK, 'tsk_1: notes.search is running, 40 % done: Page 4'],
    [
      { ...TASK, status: 'succeeded', progress: 100, message: null, result: RESULT },
      'tsk_1: notes.search succeeded, 100 % done\nFound.\n{"n":7}\n',
    ],
    [
      { ...TASK, status: 'failed', message: null, result: { ...RESULT, error: 'No paper.', error_code: 'OUT' } },
      '40 % done\nNo paper. (OUT)\n',
    ],
  ])('shows one', async (task, text) => {
    platform.answer = () => [200, task];
    expect(await platform.run('tasks', 'show', 'tsk_1')).toBeNull();
    expect([platform.asked.map(({ line }) => line), platform.printed]).toEqual([
      ['GET /v1/tasks/tsk_1'],
      expect.stringContaining(text),
    ]);
  });

  it('cancels one, and says what the platform says of one that is over', async () => {
    platform.answer = () => [200, { task_id: 'tsk_1', status: 'cancelling' }];
    expect(await platform.run('tasks', 'cancel', 'tsk_1')).toBeNull();
    expect([platform.asked.map(({ line }) => line), platform.printed]).toEqual([
      ['POST /v1/tasks/tsk_1/cancel'],
      'tsk_1 is cancelling.\n',
    ]);
    platform.answer = () => [409, { detail: 'It is over.', code: 'task.finished' }];
    expect(await platform.run('tasks', 'cancel', 'tsk_1')).toEqual({
      message: expect.stringContaining('It is over.'),
      exitCode: 1,
    });
  });
});
