import { until } from '@platform/testing';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CommandProcess } from '../../terminal/command-process.js';
import type { Computer } from '../../terminal/computer.js';
import { GatewayWithPeople, type Person } from '../people-and-computers.js';
import { printedLine, tutorialBlocks, type TutorialBlock, type TutorialCommand } from './blocks.js';

/** Follows docs/extensions/tutorial.md in an empty folder, on the built platform. */
describe('the tutorial', () => {
  const blocks = tutorialBlocks(readFileSync('docs/extensions/tutorial.md', 'utf8'));
  let platform: GatewayWithPeople;
  let ada: Person;
  let computer: Computer;
  let folder: string;
  /** Commands that run in named terminals. */
  const terminals = new Map<string, { command: CommandProcess; read: number }>();

  beforeAll(async () => {
    platform = await GatewayWithPeople.start({ withRegistry: true, withHost: true, withPanel: true });
    ada = await platform.signUp('ada@example.com');
    // Same state as the administrator of `npm start`: a developer with a sample app.
    await platform.query(
      "INSERT INTO gateway.developers (user_id, display_name) SELECT id, 'Ada' FROM gateway.users WHERE email = $1",
      [ada.email],
    );
    computer = platform.newComputer();
    folder = platform.newFolder();
  }, 120_000);

  afterAll(async () => {
    for (const { command } of terminals.values()) {
      command.kill('SIGINT');
      await command.exited;
    }
    await platform.stop();
  });

  const start = ([program, ...parameters]: string[]) => {
    if (program !== 'platform') throw new Error(`The tutorial uses ${program}, which this test cannot run.`);
    return computer.start(parameters, {}, folder);
  };

  async function run({ words, prints }: TutorialCommand): Promise<void> {
    const command = start(words);
    if (words[1] === 'login') await ada.decide(command, 'approve');
    await command.exited;
    const said = command.stdout + command.stderr;
    const missing = prints.filter((line) => !printedLine(line).test(said));
    // Other processes know a new deploy only after a second or two.
    if (missing.length && words.includes('list')) throw new NotYet();
    expect({ words, said, missing }).toEqual({ words, said, missing: [] });
  }

  /** Waits for each line in order. */
  async function goesOn(terminal: { command: CommandProcess; read: number }, lines: string[]): Promise<void> {
    for (const line of lines) {
      await until(() => {
        const said = `${terminal.command.stderr}${terminal.command.stdout}`;
        const found = printedLine(line).exec(said.slice(terminal.read));
        if (found) terminal.read += found.index + found[0].length;
        return found !== null;
      });
    }
  }

  async function follow(block: TutorialBlock): Promise<void> {
    if (block.kind === 'file') {
      const file = join(folder, block.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block.text);
      return;
    }
    const { terminal: name, commands, goesOn: lines } = block;
    if (name === null) {
      for (const command of commands) {
        await until(() =>
          run(command).then(
            () => true,
            (error: unknown) => (error instanceof NotYet ? false : Promise.reject(error as Error)),
          ),
        );
      }
      return;
    }
    for (const { words, prints } of commands) {
      const terminal = { command: start(words), read: 0 };
      terminals.set(name, terminal);
      await goesOn(terminal, prints);
    }
    const terminal = terminals.get(name);
    if (terminal) await goesOn(terminal, lines);
  }

  it('works as it is written', async () => {
    expect(blocks.length).toBeGreaterThan(10);
    for (const block of blocks) await follow(block);
  }, 240_000);
});

class NotYet extends Error {}
