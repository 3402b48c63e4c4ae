import ora from 'ora';
import { minutesAndSeconds } from '../text/times.js';
import { printable } from '../text/printable.js';
import { showsLiveLines } from '../text/terminal.js';

const TEXT = 'Waiting for your confirmation';

export interface WaitingLine {
  /** Shows a problem of the platform; undefined when it answers again. */
  trouble(text: string | undefined): void;
  stop(): void;
}

/**
 * Shows on standard error that the command waits: a live line in an interactive terminal, plain
 * lines otherwise. Ends when `stop` aborts or the returned `stop` is called.
 *
 * @param deadline time until which the code is valid, in milliseconds since 1970.
 */
export function startWaitingLine(deadline: number, stop: AbortSignal): WaitingLine {
  return showsLiveLines() ? liveLine(deadline, stop) : plainLines(deadline);
}

function liveLine(deadline: number, signal: AbortSignal): WaitingLine {
  let what = TEXT;
  const text = (): string => `${what} (${minutesAndSeconds(deadline - Date.now())} left)`;
  // discardStdin would set raw mode, in which Ctrl-C does not reach npm and the shell.
  const spinner = ora({ text: text(), discardStdin: false }).start();
  const timer = setInterval(() => (spinner.text = text()), 1000);
  const stop = (): void => {
    clearInterval(timer);
    spinner.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  return {
    trouble: (reason) => {
      what = reason === undefined ? TEXT : `${printable(reason)} Trying again`;
    },
    stop,
  };
}

function plainLines(deadline: number): WaitingLine {
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  let current: string | undefined;
  say(`${TEXT}; the code is valid for ${minutesAndSeconds(deadline - Date.now())} minutes.`);
  return {
    trouble: (reason) => {
      if (reason !== current) say(reason === undefined ? `${TEXT}.` : `${printable(reason)} Trying again.`);
      current = reason;
    },
    stop: () => undefined,
  };
}
