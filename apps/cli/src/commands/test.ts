import type { AppFunction, JsonObject } from '@platform/app-document';
import { answerOfCall, call, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { acceptable, checkDocumentFile, defaultFile } from '../app-document/document-file.js';
import { failurePlace, type FailurePlace, type TracedStep } from '../app-document/failure-place.js';
import { hintFor } from '../type-check/hints.js';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { parseParams } from '../text/call-params.js';
import { jsonText } from '../text/json-text.js';
import { printable } from '../text/printable.js';

/** Longer than the 30 s that a function can run. */
const TIMEOUT_MS = 40_000;

interface TestOptions {
  file: string;
  params?: string;
}

/** Result of a function in a smoke test, from `smoke_ir`. */
interface SmokeTest {
  ok: boolean;
  result: unknown;
  error: string | null;
  error_code: string | null;
  trace: { steps?: TracedStep[]; effects: { what: string; details: JsonObject }[] };
}

export function addTest(program: Command, contextOf: ContextOf): void {
  program
    .command('test')
    .argument('[function]', 'name of the function; by default all functions without required params')
    .option('--file <file>', 'app document, or source file of an extension', defaultFile())
    .option('--params <json>', 'params as a JSON object, or @ and the name of a JSON file')
    .description(
      'test functions on the platform without deploying the app, and without side effects. Accepts PLATFORM_API_KEY',
    )
    .addHelpText('after', '\nExample:\n  $ platform test add_note --params \'{"text": "Buy milk"}\'')
    .action((name: string | undefined, options: TestOptions, command: Command) =>
      test(contextOf(command), name, options),
    );
}

async function test(context: Context, name: string | undefined, { file, params }: TestOptions): Promise<void> {
  const { output } = context;
  const args = params === undefined ? {} : await parseParams(params);
  const checked = await checkDocumentFile(file);
  const { app } = acceptable(file, checked, 'Nothing was run.');
  const names = name === undefined ? app.functions.filter(needsNoParams).map((each) => each.name) : [name];
  if (!names.length)
    throw new CommandError(
      'Every function of the app needs params. Name one: platform test <function> --params <json>',
    );
  const client = context.keyOrSessionWithin(TIMEOUT_MS);
  const { id } = await call(client.GET('/v1/auth/me'));
  const tests: Report[] = [];
  for (const each of names) {
    const test = await smokeTest(client, id, checked.value, each, args);
    tests.push({
      function: each,
      ...test,
      place: test.ok ? null : failurePlace(file, checked, test.trace.steps ?? []),
    });
  }
  output.result(name === undefined ? tests : tests[0], tests.map(textOf).join('\n\n'));
  const failed = tests.filter(({ ok }) => !ok).length;
  if (failed) throw new CommandError(failed === 1 ? '1 function failed.' : `${failed} functions failed.`);
}

const needsNoParams = ({ params_schema }: AppFunction): boolean =>
  !(params_schema['required'] as unknown[] | undefined)?.length;

async function smokeTest(
  client: PlatformClient,
  userId: string,
  document: unknown,
  name: string,
  args: object,
): Promise<SmokeTest> {
  const params = { ir_dict: document as Record<string, unknown>, function: name, args };
  const body = { user_id: userId, function: 'smoke_ir', params };
  const answer = await call(
    client.POST('/v1/extensions/{app_id}/call', { params: { path: { app_id: 'developer' } }, body }),
  ).then(answerOfCall);
  if (answer.status === 'error') throw new CommandError(printable(answer.error ?? 'The function was not run.'));
  return answer.data as unknown as SmokeTest;
}

interface Report extends SmokeTest {
  function: string;
  /** Position of the failure in the files of the app. */
  place: FailurePlace | null;
}

function textOf({ function: name, ok, result, error, error_code: code, trace, place }: Report): string {
  const at = place ? `${place.file}:${place.line}:${place.column}: ` : '';
  const hint = hintFor(error ?? '');
  const failure = `${printable(at)}${printable(error ?? 'It failed.')} (${printable(code ?? 'no code')})${hint && `\n${hint}`}`;
  const outcome = ok ? jsonText(result) : failure;
  const effects = trace.effects.map(
    ({ what, details }) => `  recorded effect: ${printable(what)} ${printable(JSON.stringify(details))}`,
  );
  return [`${ok ? '✔' : '✖'} ${name}`, ...outcome.split('\n').map((line) => `  ${line}`), ...effects].join('\n');
}
