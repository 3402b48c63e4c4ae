import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { variablesTable } from './variables.js';

const FILE = 'docs/configuration.md';
const BEGIN =
  '<!-- Written by `npm run openapi` from the specifications of the services and the tools. Changes here are lost. -->';
const END = '<!-- The end of what is written. -->';

/**
 * Writes the table of all variables into the page about the configuration. Returns the text of the
 * page by its path. @throws Error if the page lacks the two comments around the table.
 */
export async function configurationFiles(): Promise<Map<string, string>> {
  const page = readFileSync(FILE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${FILE} lacks the two comments around the table.`);
  const text = `${page.slice(0, begin + BEGIN.length)}\n\n${variablesTable()}\n\n${page.slice(end)}`;
  return new Map([[FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' })]]);
}
