import { runInNewContext } from 'node:vm';
import { jsonParser } from './docs-parser.js';

/** Runs the function from its text alone, like a browser. Returns the calls of Swagger UI. */
function doneFor(text?: string): unknown[] {
  const done: unknown[] = [];
  const note = (action: string) => (value: unknown) => done.push([action, value]);
  const plugin = runInNewContext(`(${String(jsonParser)})`) as typeof jsonParser;
  const { parseToJson } = plugin().statePlugins.spec.wrapActions;
  parseToJson(note('parse'), { specActions: { updateJsonSpec: note('update') }, errActions: { clear: note('clear') } })(
    text,
  );
  return done;
}

it('reads a document in JSON, and forgets what was wrong with the one before', () => {
  expect(doneFor('{"openapi":"3.1.0"}')).toEqual([
    ['clear', { source: 'parser' }],
    ['update', { openapi: '3.1.0' }],
  ]);
});

it.each([['openapi: 3.1.0'], ['{"openapi":'], [undefined]])('leaves %j to Swagger UI', (text) => {
  expect(doneFor(text)).toEqual([['parse', text]]);
});
