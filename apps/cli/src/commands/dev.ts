import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { defaultFile } from '../app-document/document-file.js';
import type { Context, ContextOf } from '../context.js';
import { DevLoop } from '../dev/dev-loop.js';
import { FileWatch } from '../dev/file-watch.js';
import { LOGS_TIMEOUT_MS } from '../logs/follow-logs.js';
import { printable } from '../text/printable.js';

interface DevCommandOptions {
  app?: string;
  nickname?: string;
}

export function addDev(program: Command, contextOf: ContextOf): void {
  program
    .command('dev')
    .argument('[file]', 'app document, or source file of an extension', defaultFile())
    .option('--app <id>', 'deploy as this app instead; it must be a draft of yours')
    .option('--nickname <name>', 'register as a developer with this nickname, if you are not one yet')
    .description('deploy a draft on every save and show its logs, until Ctrl-C. Accepts PLATFORM_API_KEY')
    .addHelpText('after', '\nExample:\n  $ platform dev notes/app.json --app notes-dev')
    .action((file: string, options: DevCommandOptions, command: Command) => dev(contextOf(command), file, options));
}

async function dev(context: Context, file: string, { app: appId, nickname }: DevCommandOptions): Promise<void> {
  const watch = new FileWatch();
  if (existsSync(file)) context.output.note(`Watching ${printable(file)}. Press Ctrl-C to stop.`);
  try {
    await new DevLoop(context, context.keyOrSessionWithin(LOGS_TIMEOUT_MS), watch, { file, appId, nickname }).run();
  } finally {
    watch.close();
  }
}
