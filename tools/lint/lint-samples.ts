import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface LintMessage {
  ruleId: string | null;
  line: number;
  message: string;
  fatal?: boolean;
}

export interface Samples {
  /** The only rule that runs, where our configuration says that it does. */
  rule: string;
  /** For a rule that asks for types: files that there are, which `samples.tsconfig.json` lists, since the types of the whole workspace take half a minute. */
  typed?: boolean;
  /** Texts by their paths. */
  samples: Record<string, string>;
  /** Paths for which the outcome says whether the rule is on. */
  asked?: string[];
}

export interface Outcome {
  messages: Record<string, LintMessage[]>;
  isOnFor: Record<string, boolean>;
}

/**
 * In a process of its own, since ESLint loads its configuration as a native ES module. The last line is ours: Nx may print warnings. Where
 * `CI` is set, typescript-eslint infers a single run, and then reads each file from the disk instead of the text that it is given.
 */
const SCRIPT = `
  import { ESLint } from 'eslint';
  const entriesOf = async (pairs) => Object.fromEntries(await Promise.all(pairs));
  const outcomeOf = async ({ rule, typed = false, samples, asked = [] }) => {
    const project = typed ? 'tools/lint/samples.tsconfig.json' : null;
    const parserOptions = { projectService: false, project, disallowAutomaticSingleRunInference: true };
    const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId === rule, overrideConfig: { languageOptions: { parserOptions } } });
    const linted = Object.entries(samples).map(async ([filePath, text]) => [filePath, (await eslint.lintText(text, { filePath }))[0].messages]);
    const isOn = asked.map(async (path) => [path, rule in (await eslint.calculateConfigForFile(path)).rules]);
    return { messages: await entriesOf(linted), isOnFor: await entriesOf(isOn) };
  };
  const all = Object.entries(JSON.parse(process.argv[1])).map(async ([name, samples]) => [name, await outcomeOf(samples)]);
  console.log(JSON.stringify(await entriesOf(all)));
`;

/** Lints with `eslint.config.mjs`. */
export async function lintSamples<Name extends string>(samples: Record<Name, Samples>): Promise<Record<Name, Outcome>> {
  // As CI runs it, since its output depends on that.
  const env = { ...process.env, CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT, JSON.stringify(samples)], {
    env,
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<Name, Outcome>;
}
