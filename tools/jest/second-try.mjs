import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { runJest } from './run-jest.mjs';

/**
 * @typedef {object} Report the part of Jest's `--json` output that is used here and in
 *   tools/test.mjs
 * @property {boolean} wasInterrupted
 * @property {number} numFailedTests
 * @property {number} numPassedTests
 * @property {number} numPendingTests tests that were skipped, such as by `it.skip` or a pattern of
 *   names
 * @property {number} numTodoTests
 * @property {number} numTotalTestSuites
 * @property {number} numRuntimeErrorTestSuites suites that failed without a failed test: they did
 *   not start, or a hook failed after the tests
 * @property {{ unchecked: number }} snapshot
 * @property {SuiteResult[]} testResults
 * @property {FlakySuite[]} [flaky] suites that failed first and passed alone
 *
 * @typedef {object} SuiteResult
 * @property {string} name absolute path of the file
 * @property {'passed' | 'failed'} status
 * @property {string} message the failures as Jest prints them
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 * @property {number} startTime
 * @property {number} endTime
 *
 * @typedef {{ file: string, test: string, message: string }} FlakySuite its path relative to the
 *   root, and its first failure
 */

/** A run with more flaky suites fails. */
export const MOST_FLAKY = 3;
/** With more failed suites something basic is broken, and second tries would only take time. */
const MOST_TRIED_AGAIN = 10;

/**
 * Runs each failed suite once more, alone, in a process of its own, and writes the second results
 * into the report. A suite that then passes is `flaky`.
 *
 * @param {string} report path of the failed run's report
 * @param {readonly string[]} [options] Jest options for the second try
 * @returns {Promise<boolean>} true if no suite failed twice and at most three are flaky
 */
export async function tryAgain(report, options = []) {
  if (!existsSync(report)) return false;
  /** @type {Report} */
  const first = JSON.parse(readFileSync(report, 'utf8'));
  const failed = first.testResults.filter(({ status }) => status === 'failed');
  // A second try cannot help if Jest itself failed, a suite is missing, or a snapshot has no test
  // any more.
  const isIncomplete = first.wasInterrupted || first.testResults.length < first.numTotalTestSuites;
  if (isIncomplete || first.snapshot.unchecked || !failed.length) return false;
  if (failed.length > MOST_TRIED_AGAIN) {
    console.log(`\n${failed.length} spec files failed. At most ${MOST_TRIED_AGAIN} are tried again.`);
    return false;
  }
  /** @type {SuiteResult[]} */
  const results = [];
  for (const suite of failed) results.push((await passedAlone(suite, report, options)) ?? suite);
  const testResults = first.testResults.map((suite) => results.find(({ name }) => name === suite.name) ?? suite);
  const flaky = failed.filter((suite) => !results.includes(suite)).map(firstFailure);
  writeFileSync(report, JSON.stringify({ ...first, ...countsOf(testResults), testResults, flaky }));
  return flaky.length === failed.length && flaky.length <= MOST_FLAKY;
}

/**
 * @param {SuiteResult} suite
 * @param {string} report
 * @param {readonly string[]} options
 * @returns {Promise<SuiteResult | undefined>} its results if it passes
 */
async function passedAlone({ name }, report, options) {
  console.log(`\nOnce more, alone: ${relative('.', name)}`);
  const reportOfTry = report.replace('.json', '.again.json');
  // Jest ends its worker process if the spec left handles open. `--runInBand` would wait for them
  // without end.
  const code = await runJest(reportOfTry, [...options, '--runTestsByPath', name]);
  if (code !== 0 || !existsSync(reportOfTry)) return undefined;
  const { testResults } = /** @type {Report} */ (JSON.parse(readFileSync(reportOfTry, 'utf8')));
  return testResults.find((result) => result.name === name);
}

/** @param {SuiteResult} suite @returns {FlakySuite} */
function firstFailure({ name, message, assertionResults }) {
  const test = assertionResults.find(({ status }) => status === 'failed');
  return {
    file: relative('.', name),
    test: test?.fullName ?? 'the file itself',
    message: test?.failureMessages[0] ?? message,
  };
}

/** @param {SuiteResult[]} suites */
function countsOf(suites) {
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  /** @param {string} status */
  const count = (status) => tests.filter((test) => test.status === status).length;
  const numRuntimeErrorTestSuites = suites.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  return { numPassedTests: count('passed'), numFailedTests: count('failed'), numRuntimeErrorTestSuites };
}
