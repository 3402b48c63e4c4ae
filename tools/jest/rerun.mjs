import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runJest } from './run-jest.mjs';

/**
 * @typedef {object} Report what Jest writes with `--json`, as far as it is used here and in tools/test.mjs
 * @property {boolean} wasInterrupted
 * @property {number} numFailedTests
 * @property {number} numPassedTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ failure: boolean }} snapshot
 * @property {SuiteResult[]} testResults
 * @property {string[]} [flaky] suites that failed, and passed when they ran again
 *
 * @typedef {object} SuiteResult
 * @property {string} name path of its file
 * @property {'passed' | 'failed'} status
 * @property {string} message all that failed, as Jest prints it
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 * @property {number} startTime
 * @property {number} endTime
 */

/** More than so many failed tests are no accident. */
const MOST_TESTS = 3;
const RERUNS = 2;
/** A failure of these is what they are there to find, once in many runs: races, hostile code, and all that draws its cases anew each time. */
const HUNTS = /\b(races?|hostile)\b/;
const DRAWS = /fast-check|randomInt\(|Math\.random|\bSEED\b/;
/** An attack that gets through refutes an expectation. One that only took too long says that the machine was slow. */
const ATTACKS = /\battacks?\b/;
const TOOK_TOO_LONG = /^(Error: )?thrown: "Exceeded timeout of /;

/**
 * Whether all suites that failed pass two times when they run again, one after the other. Then the report has these results, and names the suites as `flaky`. Where that
 * cannot be, false at once, with the reason printed: more than `atMost` suites or three tests failed, one did not even start, one hunts for failures, or Jest itself failed.
 *
 * @param {string} report of the run that failed
 * @param {number} atMost
 */
export async function passAgain(report, atMost) {
  if (!atMost || !existsSync(report)) return false;
  /** @type {Report} */
  const first = JSON.parse(readFileSync(report, 'utf8'));
  const suites = first.testResults.filter(({ status }) => status === 'failed');
  const failed = suites.map(({ name }) => name);
  const reason = whyNotAgain(first, suites, atMost);
  if (reason) {
    console.log(`\nNothing runs again: ${reason}`);
    return false;
  }
  const reportOfRerun = join('reports', 'jest-rerun.json');
  /** @type {SuiteResult[]} */
  let results = [];
  for (let rerun = 0; rerun < RERUNS; rerun++) {
    console.log(`\nOnce more, alone: ${failed.map((name) => relative('.', name)).join(', ')}`);
    const isGreen = (await runJest(reportOfRerun, ['--runInBand', '--runTestsByPath', ...failed])) === 0;
    results = existsSync(reportOfRerun) ? JSON.parse(readFileSync(reportOfRerun, 'utf8')).testResults : [];
    if (!isGreen || results.length !== failed.length) {
      console.log(
        `\nWhen they ran again, the ${rerun ? 'second' : 'first'} time, these failed:`,
        namesOf(results).join(', ') || 'Jest itself',
      );
      return false;
    }
  }
  const testResults = [...first.testResults.filter(({ name }) => !failed.includes(name)), ...results];
  const numPassedTests = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed').length;
  const merged = { numPassedTests, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults, flaky: failed };
  writeFileSync(report, JSON.stringify(merged));
  return true;
}

/** The names of the tests that failed. @param {SuiteResult[]} suites */
function namesOf(suites) {
  return suites.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${relative('.', name)} › ${fullName}`),
  );
}

/**
 * @param {Report} report
 * @param {SuiteResult[]} failed
 * @param {number} atMost
 * @returns {string | undefined}
 */
function whyNotAgain(report, failed, atMost) {
  if (report.wasInterrupted || report.snapshot.failure || report.numRuntimeErrorTestSuites || !failed.length)
    return 'Jest or a whole suite failed.';
  if (failed.length > atMost || report.numFailedTests > MOST_TESTS) return 'too much failed.';
  const hunter = failed.find(({ name }) => HUNTS.test(relative('.', name)) || DRAWS.test(readFileSync(name, 'utf8')));
  if (hunter) return `${relative('.', hunter.name)} may fail seldom, and be right.`;
  const attack = failed.find(({ name, assertionResults }) => ATTACKS.test(relative('.', name)) && !onlyTookTooLong(assertionResults));
  return attack && `${relative('.', attack.name)} tries attacks, and one may have got through.`;
}

/** @param {SuiteResult['assertionResults']} tests */
function onlyTookTooLong(tests) {
  const messages = tests.flatMap(({ failureMessages }) => failureMessages);
  return messages.length > 0 && messages.every((message) => TOOK_TOO_LONG.test(message));
}
