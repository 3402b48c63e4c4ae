import type { Command } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { DEFAULT_FILE } from '../app-document/document-file.js';
import { appIdOf, starterDocument } from '../app-document/starter.js';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';

export function addInit(program: Command, contextOf: ContextOf): void {
  program
    .command('init')
    .argument('[folder]', 'where to put it; here unless told', '.')
    .description('write the document of a small app that works, to begin with')
    .addHelpText('after', '\nExample:\n  $ platform init notes && cd notes && platform deploy')
    .action((folder: string, _options: object, command: Command) => init(contextOf(command), folder));
}

async function init({ output, settings }: Context, folder: string): Promise<void> {
  const file = join(folder, DEFAULT_FILE);
  const appId = appIdOf(basename(resolve(folder)));
  await mkdir(folder, { recursive: true });
  const text = `${JSON.stringify(starterDocument(appId, settings.url), null, 2)}\n`;
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`There is a ${file} already.`);
    throw error;
  });
  const shown = relative('.', file);
  output.result(
    { file: resolve(file), app_id: appId },
    `${shown} is the app ${appId}. Change it, then:\n\n  platform validate ${shown}\n  platform deploy ${shown}`,
  );
}
