import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface LintMessage {
  ruleId: string | null;
  line: number;
  message: string;
  fatal?: boolean;
}

interface Options {
  /** The only rule that runs, where our configuration says that it does. */
  rule: string;
  /** For a rule that asks for types: files that there are, which `samples.tsconfig.json` lists, since the types of the whole workspace take half a minute. */
  typed?: boolean;
}

interface Outcome {
  messages: Record<string, LintMessage[]>;
  isOnFor: Record<string, boolean>;
}

/**
 * In a process of its own, since ESLint loads its configuration as a native ES module. The last line is ours: Nx may print warnings. Where
 * `CI` is set, typescript-eslint infers a single run, and then reads each file from the disk instead of the text that it is given.
 */
const SCRIPT = `
  import { ESLint } from 'eslint';
  const { samples, asked, rule, typed } = JSON.parse(process.argv[1]);
  const project = typed ? 'tools/lint/samples.tsconfig.json' : null;
  const parserOptions = { projectService: false, project, disallowAutomaticSingleRunInference: true };
  const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId === rule, overrideConfig: { languageOptions: { parserOptions } } });
  const linted = Object.entries(samples).map(async ([filePath, text]) => [filePath, (await eslint.lintText(text, { filePath }))[0].messages]);
  const isOn = asked.map(async (path) => [path, rule in (await eslint.calculateConfigForFile(path)).rules]);
  const [messages, isOnFor] = await Promise.all([linted, isOn].map(async (pairs) => Object.fromEntries(await Promise.all(pairs))));
  console.log(JSON.stringify({ messages, isOnFor }));
`;

/** Lints texts by path with `eslint.config.mjs`, and tells for which of the paths that are asked for the rule is on. */
export async function lintSamples(
  samples: Record<string, string>,
  { rule, typed = false }: Options,
  asked: string[] = [],
): Promise<Outcome> {
  const input = JSON.stringify({ samples, asked, rule, typed });
  // As CI runs it, since its output depends on that.
  const env = { ...process.env, CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT, input], { env });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Outcome;
}
