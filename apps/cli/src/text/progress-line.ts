import ora from 'ora';
import { printable } from './printable.js';
import { showsLiveLines } from './terminal.js';

/**
 * Progress on standard error: a line for each finished step, and a live line for the current one in
 * an interactive terminal.
 */
export interface ProgressLine {
  done(text: string): void;
  /** Shows a temporary problem. */
  trouble(text: string): void;
  stop(): void;
}

/** Starts a progress line with this text. It ends when `signal` aborts or its `stop` is called. */
export function startProgressLine(text: string, signal: AbortSignal): ProgressLine {
  return showsLiveLines() ? liveLine(text, signal) : plainLines();
}

function liveLine(text: string, signal: AbortSignal): ProgressLine {
  // discardStdin would set raw mode, in which Ctrl-C does not reach npm and the shell.
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
