import { PassThrough } from 'node:stream';
import { askLine } from './ask-line.js';

describe('askLine', () => {
  const ask = (input: PassThrough, output = new PassThrough()) =>
    askLine('Nickname: ', { input, output, signal: new AbortController().signal });

  it('resolves with what is typed', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answer = ask(input, output);
    input.write('  ada \n');
    await expect(answer).resolves.toBe('ada');
    expect(String(output.read())).toBe('Nickname: ');
  });

  it('resolves with nothing at the end of the input', async () => {
    const input = new PassThrough();
    const answer = ask(input);
    input.end();
    await expect(answer).resolves.toBe('');
  });
});
