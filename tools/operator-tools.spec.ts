import { CommandProcess } from './smoke/command-process.js';

/** A database that nobody reaches: what is refused here is refused before anything is asked of it. */
const env = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none', SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` };

async function run(tool: string, ...parameters: string[]) {
  const command = CommandProcess.start(parameters, env, `dist/tools/${tool}.js`);
  return { exitCode: await command.exited, stdout: command.stdout, stderr: command.stderr };
}

describe('the tools of operators', () => {
  it.each([
    ['audit', ['verify', 'anchors.jsonl'], 'Unexpected "anchors.jsonl"; did you mean --anchor anchors.jsonl?\n'],
    ['audit', ['anchor', 'foo'], 'Unexpected "foo"; did you mean --anchor foo?\n'],
    [
      'audit',
      ['anchor', '--anchor', 'a', '--anchor', 'b'],
      'The last seals are written to one anchor; --anchor was given several times.\n',
    ],
    ['audit', ['verfy'], 'Unknown command "verfy"\n'],
    ['keys', ['resael'], 'Unknown command "resael"\n'],
    ['keys', ['list', '--now'], '"list" does not take "--now"\n'],
    ['migrate', ['up'], 'migrate does not take "up"\n'],
  ])('%s %j is refused', async (tool, parameters, stderr) => {
    expect(await run(tool, ...parameters)).toMatchObject({ exitCode: 1, stderr });
  });

  it.each(['audit', 'keys', 'migrate'])('%s explains itself', async (tool) => {
    expect(await run(tool, '--help')).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/^Usage: npm run /) });
  });
});
