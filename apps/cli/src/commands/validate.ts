import type { Command } from 'commander';
import { checkDocumentFile, countOf, defaultFile, issueLines } from '../app-document/document-file.js';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';

export function addValidate(program: Command, contextOf: ContextOf): void {
  program
    .command('validate')
    .argument('[file]', 'app document, or source file of an extension', defaultFile())
    .description('validate an app document, offline')
    .addHelpText('after', '\nExample:\n  $ platform validate --json | jq -r .issues[].pointer')
    .action((file: string, _options: object, command: Command) => validate(contextOf(command), file));
}

async function validate({ output }: Context, file: string): Promise<void> {
  const { document, issues, warnings } = await checkDocumentFile(file);
  const lines = [...issueLines(file, issues), ...issueLines(file, warnings)];
  if (document) lines.push(`${file} is valid: ${document.app.id} ${document.app.version}.`);
  output.result({ file, valid: document !== null, issues, warnings }, lines.join('\n'));
  if (!document)
    throw new CommandError(countOf(issues), ExitCode.failure, { code: 'invalid_app', details: { issues } });
}
