import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FakeStripe } from '@platform/testing';
import { GatewayWithPeople, PASSWORD } from './people-and-computers.js';
import { printedLine } from './tutorial/blocks.js';

/**
 * Replaces `npm run platform -- …` by the built program. Retries `schedules run`, because other
 * processes know a deploy only about a second later.
 */
const NPM = `#!/bin/sh
shift
[ "$1" = --silent ] && shift
if [ "$1 $2" != 'platform --' ]; then echo "This test runs no npm run $1." >&2; exit 64; fi
shift 2
if [ "$1 $2" != 'schedules run' ]; then exec "${process.execPath}" "${resolve('dist/tools/platform.js')}" "$@"; fi
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  "${process.execPath}" "${resolve('dist/tools/platform.js')}" "$@" && exit
  sleep 1
done
exit 1
`;

/** Permission of a backend in docs/organisation.md. */
const ASSISTANT = 'assistant:actions';

const samples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'README.md')));

/** Runs the shell commands of documents as a signed-in user, on one built platform. */
describe('a document', () => {
  let platform: GatewayWithPeople;
  let stripe: FakeStripe;
  let env: NodeJS.ProcessEnv;
  /** A folder like a clone after `npm start`: it has `.data/dev.env`. */
  let clone: string;

  beforeAll(async () => {
    const token = randomBytes(24).toString('base64url');
    stripe = await FakeStripe.start();
    platform = await GatewayWithPeople.start({
      stripe,
      withRegistry: true,
      withHost: true,
      withPanel: true,
      backend: `assistant:${token}`,
      permissions: ASSISTANT,
    });
    const [ada] = await Promise.all([platform.signUp('ada@example.com'), platform.signUp('root@example.com')]);
    await platform.query(
      "INSERT INTO gateway.developers (user_id, display_name) SELECT id, 'Ada' FROM gateway.users WHERE email = $1",
      [ada.email],
    );
    await platform.makeAdministrator('root@example.com');
    const computer = await ada.signedInComputer();
    const bin = platform.newFolder();
    writeFileSync(join(bin, 'npm'), NPM);
    chmodSync(join(bin, 'npm'), 0o755);
    env = { ...computer.env, URL: platform.url, PATH: `${bin}:${process.env['PATH']}` };
    clone = platform.newFolder();
    mkdirSync(join(clone, '.data'));
    writeFileSync(join(clone, '.data/run.json'), JSON.stringify({ urls: { payments: stripe.url } }));
    const credentials = [
      `SERVICE_TOKENS=assistant:${token}`,
      'ADMIN_EMAIL=root@example.com',
      `ADMIN_PASSWORD=${PASSWORD}`,
    ];
    writeFileSync(join(clone, '.data/dev.env'), credentials.map((line) => `${line}\n`).join(''));
  }, 120_000);

  afterAll(async () => {
    await platform.stop();
    await stripe.stop();
  });

  /** Runs the script in one shell until the first command fails. */
  function run(script: string, cwd = process.cwd()): Promise<{ code: number | null; output: string }> {
    const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((done) => child.once('close', (code) => done({ code, output })));
  }

  it.each(samples)(
    'examples/%s/README.md works as it is written',
    async (name) => {
      const script = blocksOf(join('examples', name, 'README.md'), 'sh').join('\n');
      expect(script).toContain(`npm run platform -- deploy examples/${name}/`);
      // Samples must not contain an address of the local platform.
      expect(script).not.toMatch(/localhost|127\.0\.0\.1|:400\d\b/);
      const { code, output } = await run(script);
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringMatching(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ (was|is already) deployed`, 'm')),
      });
    },
    180_000,
  );

  it.each([['docs/billing.md', 'docs/calls.md'], ['docs/payments.md']])(
    'the samples of %s %s answer as they say',
    async (...documents) => {
      const answers: { line: string; shown: string }[] = [];
      /**
       * Prints `answered <n>` after each command with `# answer` behind it. The output is split
       * there.
       */
      const marked = (block: string) =>
        block.replace(/^([^#\n].*\S) # (.+)$/gm, (line, command: string, shown: string) => {
          return `${command}; echo; echo "answered ${answers.push({ line, shown }) - 1}"`;
        });
      const reader = `${documents[0].replace(/\W/g, '-')}@example.com`;
      await platform.signUp(reader);
      const journey = [
        ...(readFileSync('docs/first-journey.md', 'utf8').match(/^(json|post)\(\) .*$/gm) ?? []),
        `TOKEN=$(post login "{\\"email\\":\\"${reader}\\",\\"password\\":\\"${PASSWORD}\\",\\"tenant_id\\":\\"default\\"}" | json .access_token)`,
        'USER_ID=$(curl -s "$URL/v1/auth/me" -H "Authorization: Bearer $TOKEN" | json .platform_id)',
      ];
      // Blocks for tools need the workspace.
      const blocks = documents
        .flatMap((path) => blocksOf(path, 'bash'))
        .filter((block) => !block.includes('npm run billing:'));
      const { code, output } = await run([...journey, ...blocks.map(marked)].join('\necho\n'), clone);
      const parts = output.split(/^answered \d+$/m);
      const found = answers.map(({ line, shown }, index) => {
        const answer = parts[index]?.trim().split('\n').at(-1) ?? '';
        return printedLine(shown).test(answer) ? line : `${line} — but the answer is ${answer}`;
      });
      expect({ code, found, output: code ? output : '' }).toEqual({
        code: 0,
        found: answers.map(({ line }) => line),
        output: '',
      });
      // A sample without an answer would accept any output.
      expect(blocks.filter((block) => !/ # ./.test(block))).toEqual([]);
    },
    180_000,
  );

  it('docs/organisation.md gives a backend of its own the token that docs/calls.md uses', async () => {
    const recipe = blocksOf('docs/organisation.md', 'sh').find((block) => block.includes('SERVICE_PERMISSIONS')) ?? '';
    const folder = platform.newFolder();
    mkdirSync(join(folder, '.data'));
    writeFileSync(join(folder, '.data/dev.env'), 'SERVICE_TOKENS=panel:x\nADMIN_EMAIL=root@example.com\n');
    expect(await run(recipe.replace('npm start', ''), folder)).toEqual({ code: 0, output: '' });
    expect(readFileSync(join(folder, '.data/dev.env'), 'utf8')).toMatch(
      new RegExp(
        `^SERVICE_TOKENS=panel:x,assistant:[\\w-]{32}\nADMIN_EMAIL=root@example.com\nSERVICE_PERMISSIONS=${ASSISTANT}\n$`,
      ),
    );
  });
});

const blocksOf = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  );
