// `npm run commits`: checks the commits of the current branch that `origin/main` does not contain:
// Conventional Commits (https://www.conventionalcommits.org), a short subject, a body with the
// reason. Skips merges. Prints commit, subject and rule of each finding.
import { spawnSync } from 'node:child_process';

const MAIN = 'origin/main';
/** Types that CONTRIBUTING.md lists. */
const TYPES = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
const MOST_CHARACTERS = 72;
const CONVENTIONAL = new RegExp(`^(${TYPES.join('|')})(\\([^()\\s][^()]*\\))?!?: \\S`);
/** A trailer that names people, such as `Co-authored-by`, gives no reason. */
const PEOPLE = /^[a-z-]+-by: .*$/gim;
/** Separates the fields of a commit in the output of Git. */
const FIELD = '\x1f';

const reason = nothingToCheck();
if (reason) console.log(`No commit is checked: ${reason}.`);
else check();

/** Reason why there is no commit to check; null if there can be some. */
function nothingToCheck() {
  const main = tryGit('rev-parse', '--verify', '--quiet', `${MAIN}^{commit}`);
  if (main === null) return `this clone has no ${MAIN}`;
  if (main === git('rev-parse', 'HEAD')) return `HEAD is ${MAIN}`;
  if (tryGit('merge-base', MAIN, 'HEAD') === null)
    return `HEAD and ${MAIN} have no common commit, as in a shallow clone`;
  return null;
}

function check() {
  const commits = git('log', '--no-merges', '--reverse', '-z', `--format=%h${FIELD}%s${FIELD}%b`, `${MAIN}..HEAD`)
    .split('\0')
    .filter(Boolean);
  const findings = commits.flatMap((commit) => {
    const [id, subject = '', body = ''] = commit.split(FIELD);
    return brokenRules(subject, body).map((rule) => `${id} "${subject}": ${rule}`);
  });
  for (const finding of findings) console.error(finding);
  if (findings.length)
    console.error(`Correct the commits with \`git rebase -i ${MAIN}\`. CONTRIBUTING.md has the rules.`);
  else console.log(`The commits since ${MAIN} keep the rules: ${commits.length} checked.`);
  process.exitCode = findings.length ? 1 : 0;
}

/**
 * @param {string} subject
 * @param {string} body
 */
function brokenRules(subject, body) {
  const { length } = Array.from(subject);
  /** @type {string[]} */
  const rules = [];
  if (!CONVENTIONAL.test(subject))
    rules.push(`the subject is not "type: text" or "type(scope): text", with a type of ${TYPES.join(', ')}`);
  if (length > MOST_CHARACTERS) rules.push(`the subject has ${length} characters, ${MOST_CHARACTERS} are the most`);
  if (!body.replace(PEOPLE, '').trim()) rules.push('the body is empty: write why the change is made');
  return rules;
}

/**
 * Output of Git, or null if it answers no: its exit code is then 1.
 *
 * @param {string[]} parameters
 */
function tryGit(...parameters) {
  const { error, status, stdout, stderr } = spawnSync('git', parameters, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error) throw error;
  if (status === 1) return null;
  if (status === 0) return stdout.trim();
  console.error(stderr.trim() || `git ${parameters[0]} failed with exit code ${status}`);
  process.exit(1);
}

/** @param {string[]} parameters */
function git(...parameters) {
  const output = tryGit(...parameters);
  if (output === null) throw new Error(`git ${parameters.join(' ')} failed.`);
  return output;
}
