import { Output } from './output.js';

/** Returns the lines on standard output as one text. */
function written(write: (output: Output) => void): string {
  const lines: string[] = [];
  const stdout = jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(text.toString()) > 0);
  write(new Output(true));
  stdout.mockRestore();
  return lines.join('');
}

it.each<[string, (output: Output, value: unknown) => void]>([
  ['result', (output, value) => output.result(value, '')],
  ['line', (output, value) => output.line(value, '')],
])('JSON of a %s moves no cursor, and says the same', (_method, write) => {
  const value = { name: '\u009b2J \u007f\u0085 \u001b[2J é' };
  const json = written((output) => write(output, value));
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(JSON.parse(json)).toEqual(value);
});
