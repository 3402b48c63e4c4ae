import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GatewayWithPeople } from './people-and-computers.js';

/** `npm run platform -- …`, by the program that it runs, and patient with what is known everywhere only a second after a deploy. */
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

const samples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'README.md')));

/** What the README of each sample says, done in a shell by somebody who is signed in, on one built platform. */
describe('the README of the sample', () => {
  let platform: GatewayWithPeople;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    platform = await GatewayWithPeople.start({ withRegistry: true, withHost: true, withPanel: true });
    const ada = await platform.signUp('ada@example.com');
    await platform.query("INSERT INTO gateway.developers (user_id, display_name) SELECT id, 'Ada' FROM gateway.users WHERE email = $1", [
      ada.email,
    ]);
    const computer = await ada.signedInComputer();
    const bin = platform.newFolder();
    writeFileSync(join(bin, 'npm'), NPM);
    chmodSync(join(bin, 'npm'), 0o755);
    env = { ...computer.env, URL: platform.url, PATH: `${bin}:${process.env['PATH']}` };
  }, 120_000);

  afterAll(() => platform.stop());

  /** All in one shell, at the top of the repository, up to the first command that fails. */
  function run(script: string): Promise<{ code: number | null; output: string }> {
    const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((done) => child.once('close', (code) => done({ code, output })));
  }

  it.each(samples)(
    '%s works as it is written',
    async (name) => {
      const blocks = [...readFileSync(join('examples', name, 'README.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
      const script = blocks.map(([, block]) => block).join('\n');
      expect(script).toContain(`npm run platform -- deploy examples/${name}/`);
      // Where it runs is no business of a sample.
      expect(script).not.toMatch(/localhost|127\.0\.0\.1|:400\d\b/);
      const { code, output } = await run(script);
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringMatching(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ is deployed`, 'm')),
      });
    },
    60_000,
  );
});
