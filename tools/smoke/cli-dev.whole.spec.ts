import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Computer } from '../terminal/computer.js';
import { GatewayWithPeople } from './people-and-computers.js';

/** The built command with the built platform, including the extension host. */
describe('platform dev', () => {
  let platform: GatewayWithPeople;
  let computer: Computer;
  let file: string;

  beforeAll(async () => {
    platform = await GatewayWithPeople.start({ withRegistry: true, withHost: true });
    computer = await (await platform.signUp('ada@example.com')).signedInComputer();
    const folder = join(platform.newFolder(), 'notes');
    await computer.run(`init ${folder}`);
    file = join(folder, 'app.json');
  }, 120_000);

  afterAll(() => platform.stop());

  const change = (of: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(of, to));
  const noted = async () => (await computer.run('call notes add_note --params {"text":"x"}')).stderr;

  it('brings what is saved to where it is called within a second, and shows the calls', async () => {
    const dev = computer.start(`dev ${file} --nickname ada`);
    await dev.printed(/notes 0\.1\.0-dev\.1 is live/);
    expect(await noted()).toBe('Noted: x\n');
    // The output contains the duration, which varies.
    for (let at = 1; at <= 3; at++) {
      change('"summary": "', `"summary": "Kept ${at}. `);
      await dev.printed(new RegExp(`dev\\.${at + 1} is live, \\d+\\.\\d\\d s after the save`));
      expect(await noted()).toMatch(new RegExp(`^Kept ${at}\\. `));
    }
    await dev.printed(/info +function add_note {2}Done in \d+\.\d ms\./);
    dev.kill('SIGINT');
    expect(await dev.exited).toBe(130);
  });

  it('leaves an app alone that is published', async () => {
    expect((await computer.run('submit notes')).stderr).toContain(
      'Required: The version that runs is not one of `platform dev`.',
    );
    await computer.run(`deploy ${file}`);
    await computer.run('submit notes');
    await platform.post('/v1/admin/apps/notes/approve', {});
    const { exitCode, stderr } = await computer.run(`dev ${file}`);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/notes is live\. .*--app notes-dev/)]);
  });
});
