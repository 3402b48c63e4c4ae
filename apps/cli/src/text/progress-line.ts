import ora from 'ora';
import { printable } from './printable.js';
import { showsLiveLines } from './terminal.js';

/** On standard error: what is done, line by line, and what is going on where a person watches. */
export interface ProgressLine {
  done(text: string): void;
  /** What keeps it from going on. */
  trouble(text: string): void;
  stop(): void;
}

/** Ends when `signal` aborts. */
export function startProgressLine(text: string, signal: AbortSignal): ProgressLine {
  return showsLiveLines() ? liveLine(text, signal) : plainLines();
}

function liveLine(text: string, signal: AbortSignal): ProgressLine {
  // Raw mode would keep Ctrl-C from reaching npm and the shell.
  const spinner = ora({ text, discardStdin: false }).start();
  const stop = (): void => void spinner.stop();
  signal.addEventListener('abort', stop, { once: true });
  return {
    done: (what) => {
      spinner.succeed(what);
      if (!signal.aborted) spinner.start(text);
    },
    trouble: (reason) => (spinner.text = `${text}: ${printable(reason)} Trying again`),
    stop,
  };
}

function plainLines(): ProgressLine {
  const say = (text: string): boolean => process.stderr.write(`${text}.\n`);
  let last: string | undefined;
  return {
    done: say,
    trouble: (reason) => {
      if (reason !== last) say(`${printable(reason)} Trying again`);
      last = reason;
    },
    stop: () => undefined,
  };
}
