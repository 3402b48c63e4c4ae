export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  style(text: string, style: Style): string;
  line(text?: string): void;
  /** Shows what went wrong. An error that is meant for people shows its message, any other its stack. */
  failure(error: unknown): void;
  /** Shows `doing` while `work` runs and `done` after it. */
  step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T>;
}

/** Remembers started processes, so that the start after a killed one can end them, and tells others where they are reached. */
export interface RunFile {
  /** `command` is a part of its command line that tells it from any other process. The process must lead a process group. */
  add(pid: number, command: string): void;
  remove(pid: number): void;
  /** Says where the parts of the platform are, by their names. */
  announce(urls: Record<string, string>): void;
}

/** What the plain JavaScript, which runs before there is a build, hands to the supervisor. */
export interface Context {
  /** The folder of the clone. */
  root: string;
  watch: boolean;
  terminal: Terminal;
  runFile: RunFile;
  /** Aborts when the platform shall stop. */
  requested: AbortSignal;
  /** Aborts when it shall stop at once. */
  forced: AbortSignal;
  /** Builds when the sources changed; tells whether it had to. Rejects with what the compiler says. */
  build(): Promise<boolean>;
  /** Runs a compiled script to its end. Rejects with `failure` when that fails. */
  runScript(script: string, env: NodeJS.ProcessEnv, failure: string): Promise<void>;
}
