import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface LintMessage {
  ruleId: string | null;
  line: number;
  message: string;
  fatal?: boolean;
}

export interface Samples {
  /** The only rule that runs, on files for which eslint.config.mjs enables it. */
  rule: string;
  /**
   * True for a rule that needs types. Its samples have paths of existing files in
   * `samples.tsconfig.json`, because loading the types of the whole workspace takes half a minute.
   */
  typed?: boolean;
  /** Source texts by path. */
  samples: Record<string, string>;
  /** Paths for which the outcome says if the rule is enabled. */
  asked?: string[];
}

export interface Outcome {
  messages: Record<string, LintMessage[]>;
  isOnFor: Record<string, boolean>;
}

/**
 * Runs in a process of its own, because ESLint loads its configuration as a native ES module. The
 * result is the last line, because Nx can print warnings before it. If `CI` is set,
 * typescript-eslint assumes a single run and would read each file from disk instead of the given
 * text; an option turns this off.
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

/** Lints the samples with `eslint.config.mjs`. */
export async function lintSamples<Name extends string>(samples: Record<Name, Samples>): Promise<Record<Name, Outcome>> {
  // Sets CI as in the real CI, because the output depends on it.
  const env = { ...process.env, CI: 'true' };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', SCRIPT, JSON.stringify(samples)],
    {
      env,
    },
  );
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<Name, Outcome>;
}
