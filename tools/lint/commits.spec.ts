import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SCRIPT = resolve('tools/lint/commits.mjs');
const BODY = 'The reason of the change.';
const PERSON = { name: 'Ada', email: 'ada@example.com' };
/** Without the variables and the configuration of Git of this machine: a hook sets GIT_DIR. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...{
    GIT_AUTHOR_NAME: PERSON.name,
    GIT_AUTHOR_EMAIL: PERSON.email,
    GIT_COMMITTER_NAME: PERSON.name,
    GIT_COMMITTER_EMAIL: PERSON.email,
  },
};

let folder: string;
let clone: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commits-'));
  clone = join(folder, 'clone');
  git(folder, 'init', '--quiet', '--initial-branch=work', clone);
  commit('Everything before');
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...parameters: string[]) =>
  execFileSync('git', parameters, { cwd, env, encoding: 'utf8' }).trim();
const commit = (subject: string, ...paragraphs: string[]) =>
  git(clone, 'commit', '--quiet', '--allow-empty', ...[subject, ...paragraphs].flatMap((text) => ['-m', text]));
const fetchMain = () => git(clone, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
function check(cwd = clone) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}

describe('the check of commits', () => {
  it.each([
    ['feat: x'],
    ['fix(auth-gateway)!: a scope and a breaking change'],
    ['docs(operations, k8s): two scopes'],
    [`test: ${'é'.repeat(66)}`],
  ])('passes "%s" with a body', (subject) => {
    fetchMain();
    commit(subject, BODY, 'BREAKING CHANGE: a footer.');
    expect(check()).toEqual({ status: 0, output: 'The commits since origin/main keep the rules: 1 checked.' });
  });

  it.each([
    ['no type', 'Repairs the login', [BODY], 'the subject is not "type: text"'],
    ['an unknown type', 'feature: a login', [BODY], 'the subject is not "type: text"'],
    ['a type with a capital', 'Fix: the login', [BODY], 'the subject is not "type: text"'],
    ['an empty scope', 'fix(): the login', [BODY], 'the subject is not "type: text"'],
    ['no space after the colon', 'fix:the login', [BODY], 'the subject is not "type: text"'],
    ['a commit to squash', 'fixup! fix: the login', [BODY], 'the subject is not "type: text"'],
    ['a long subject', `fix: ${'x'.repeat(68)}`, [BODY], 'the subject has 73 characters, 72 are the most'],
    ['no body', 'fix: the login', [], 'the body is empty'],
    ['a body that only names people', 'fix: the login', ['Co-authored-by: Ada <ada@example.com>'], 'the body is empty'],
  ])('refuses %s and says commit, subject and rule', (_what, subject, body, rule) => {
    fetchMain();
    commit('fix: a good one', BODY);
    commit(subject, ...body);
    const { status, output } = check();
    const [finding = '', ...rest] = output.split('\n');
    expect(status).toBe(1);
    expect(finding).toContain(`${git(clone, 'rev-parse', '--short', 'HEAD')} "${subject}": ${rule}`);
    expect(rest).toEqual(['Correct the commits with `git rebase -i origin/main`. CONTRIBUTING.md has the rules.']);
  });

  it('says each rule that a commit breaks', () => {
    fetchMain();
    commit('x'.repeat(73));
    expect(check().output.split('\n')).toHaveLength(4);
  });

  it('skips merges and the commits of main', () => {
    git(clone, 'branch', 'side');
    fetchMain();
    commit('fix: on the branch', BODY);
    git(clone, 'checkout', '--quiet', 'side');
    commit('feat: on the other branch', BODY);
    git(clone, 'checkout', '--quiet', 'work');
    git(clone, 'merge', '--quiet', '--no-ff', '-m', 'Merge branch side', 'side');
    expect(check()).toEqual({ status: 0, output: 'The commits since origin/main keep the rules: 2 checked.' });
  });

  it('checks nothing without origin/main', () => {
    expect(check()).toEqual({ status: 0, output: 'No commit is checked: this clone has no origin/main.' });
  });

  it('checks nothing in a new clone, whose HEAD is origin/main', () => {
    fetchMain();
    expect(check()).toEqual({ status: 0, output: 'No commit is checked: HEAD is origin/main.' });
  });

  it('checks nothing in a shallow clone that lacks the common commit', () => {
    git(clone, 'branch', 'main');
    commit('Not checked');
    const shallow = join(folder, 'shallow');
    git(
      folder,
      'clone',
      '--quiet',
      '--depth=1',
      '--no-single-branch',
      '--branch=work',
      pathToFileURL(clone).href,
      shallow,
    );
    expect(check(shallow)).toEqual({
      status: 0,
      output: 'No commit is checked: HEAD and origin/main have no common commit, as in a shallow clone.',
    });
  });

  it('fails with the message of Git outside of a clone', () => {
    expect(check(folder)).toEqual({ status: 1, output: expect.stringContaining('not a git repository') });
  });

  it('has the types of CONTRIBUTING.md', () => {
    const [, list = ''] =
      /^- Commits are .*?: (.*?)\./m.exec(readFileSync('CONTRIBUTING.md', 'utf8').replace(/\n {2}/g, ' ')) ?? [];
    fetchMain();
    commit('No type');
    expect(check().output).toContain(`with a type of ${list.replaceAll('`', '')}\n`);
  });
});
