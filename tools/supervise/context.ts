export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  style(text: string, style: Style): string;
  line(text?: string): void;
  /** Prints an error: its message if it is written for users, otherwise its stack. */
  failure(error: unknown): void;
  /** Shows `doing` while `work` runs, then `done`. */
  step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Records started processes, so that the start after a killed run can end them, and the URLs of the
 * platform's parts.
 */
export interface RunFile {
  /**
   * `command` is a part of its command line that no other process has. The process must lead a
   * process group.
   */
  add(pid: number, command: string): void;
  remove(pid: number): void;
  /** Records the URLs of the platform's parts, by name. */
  announce(urls: Record<string, string>): void;
}

/**
 * Functions and values that the plain JavaScript, which runs before there is a build, gives to the
 * supervisor.
 */
export interface Context {
  root: string;
  watch: boolean;
  terminal: Terminal;
  runFile: RunFile;
  /** Aborts on a request to stop the platform. */
  requested: AbortSignal;
  /** Aborts on a request to stop at once. */
  forced: AbortSignal;
  /** Builds if the sources changed; true if it built. Rejects with the compiler's output. */
  build(): Promise<boolean>;
  /** Runs a compiled script to its end. Rejects with `failure` if it fails. */
  runScript(script: string, env: NodeJS.ProcessEnv, failure: string): Promise<void>;
}
