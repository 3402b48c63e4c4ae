import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { acceptable, checkDocumentFile, defaultFile, issueLines } from '../app-document/document-file.js';
import type { Context, ContextOf } from '../context.js';

interface BuildOptions {
  out?: string;
}

export function addBuild(program: Command, contextOf: ContextOf): void {
  program
    .command('build')
    .argument('[file]', 'source file of the extension', defaultFile())
    .option('-o, --out <file>', 'output file; standard output by default')
    .description('build the app document from source code, offline')
    .addHelpText('after', '\nExample:\n  $ platform build src/extension.ts --out app.json')
    .action((file: string, options: BuildOptions, command: Command) => build(contextOf(command), file, options));
}

async function build({ output }: Context, file: string, { out }: BuildOptions): Promise<void> {
  const checked = await checkDocumentFile(file);
  const { app } = acceptable(file, checked, 'Nothing was built.');
  for (const line of issueLines(file, checked.warnings)) output.note(line);
  const text = JSON.stringify(checked.value, null, 2);
  if (out === undefined) {
    output.result(checked.value, text);
    return;
  }
  await writeFile(out, `${text}\n`);
  output.result(
    { file: out, app_id: app.id, version: app.version },
    `${out} now contains the document of ${app.id} ${app.version}.`,
  );
}
