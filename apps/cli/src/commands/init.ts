import type { Command } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DEFAULT_FILE } from '../app-document/document-file.js';
import { appIdOf, nameOf, starterDocument } from '../app-document/starter.js';
import { typescriptProject } from '../app-document/typescript-project.js';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { servedPackages } from '../platform-about.js';

interface InitOptions {
  typescript?: true;
}

export function addInit(program: Command, contextOf: ContextOf): void {
  program
    .command('init')
    .argument('[folder]', 'target folder; this folder by default', '.')
    .option('--typescript', 'create an extension in TypeScript with a test, and the SDK of the platform at --url')
    .description('create a small working app to start from')
    .addHelpText('after', '\nExample:\n  $ platform init notes && cd notes && platform deploy')
    .action((folder: string, options: InitOptions, command: Command) => init(contextOf(command), folder, options));
}

async function init({ output, settings }: Context, folder: string, { typescript }: InitOptions): Promise<void> {
  const appId = appIdOf(basename(resolve(folder)));
  const files = typescript
    ? typescriptProject(appId, nameOf(appId), await servedPackages(settings))
    : { [DEFAULT_FILE]: `${JSON.stringify(starterDocument(appId, settings.url), null, 2)}\n` };
  const file = join(folder, typescript ? 'src/extension.ts' : DEFAULT_FILE);
  for (const [name, text] of Object.entries(files)) await writeNew(join(folder, name), text);
  const shown = relative('.', file);
  const test = typescript ? `  npm install && npm test    in ${relative('.', folder) || 'this folder'}\n` : '';
  output.result(
    { file: resolve(file), app_id: appId },
    `Created the app ${appId} in ${shown}. Edit it, then run:\n\n${test}  platform validate ${shown}\n  platform deploy ${shown}`,
  );
}

/**
 * Writes a new file, and creates its folders if needed. @throws CommandError if the file exists: it
 * must not be overwritten.
 */
async function writeNew(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${file} already exists. Choose another folder.`);
    throw error;
  });
}
