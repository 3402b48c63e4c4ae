import { styleText } from 'node:util';
import { describe } from './start-error.mjs';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** @typedef {import('../supervise/context.js').Terminal} Progress */
/** @typedef {import('../supervise/context.js').Style} Style */
/** @typedef {{ text: string, since: number, timer: NodeJS.Timeout }} Spinner */

/**
 * Prints the progress: with a spinner on a terminal, as plain lines otherwise.
 *
 * @implements {Progress}
 */
export class Terminal {
  /** @type {Spinner | undefined} */
  #spinner;
  #frame = 0;

  /**
   * @param {NodeJS.WriteStream} stream
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(stream, env) {
    this.stream = stream;
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-conversion -- undefined if the stream is a pipe or a file
    const isTerminal = Boolean(stream.isTTY);
    this.isInteractive = isTerminal && env.TERM !== 'dumb' && !env.CI;
    this.hasColour = isTerminal && env.TERM !== 'dumb' && !env.NO_COLOR;
    // A closed terminal, or `npm start | head`, must not break the shutdown.
    stream.on('error', () => undefined);
  }

  /**
   * @param {string} text
   * @param {Style} style
   */
  style(text, style) {
    return this.hasColour ? styleText(style, text) : text;
  }

  /** @param {string} text */
  line(text = '') {
    this.#erase();
    this.stream.write(`${text}\n`);
    this.#draw();
  }

  /** @param {unknown} error */
  failure(error) {
    const { message, output } = describe(error);
    if (output) this.line(output);
    this.line(`${this.style('✗', 'red')} ${message}`);
  }

  /**
   * Shows `doing` while `work` runs, then `done` with the time it took.
   *
   * @template T
   * @param {string} doing
   * @param {string} done
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async step(doing, done, work) {
    const since = Date.now();
    const end = this.#begin(doing, since);
    try {
      const result = await work();
      end();
      this.line(`${this.style('✓', 'green')} ${done} ${this.style(`(${duration(since)})`, 'dim')}`);
      return result;
    } finally {
      end();
    }
  }

  /**
   * Starts the spinner. Returns a function that ends it, if no other step has replaced it.
   *
   * @param {string} text
   * @param {number} since
   */
  #begin(text, since) {
    if (!this.isInteractive) {
      this.line(`  ${text} …`);
      return () => undefined;
    }
    this.#end(this.#spinner);
    const spinner = { text, since, timer: setInterval(() => this.#draw(), FRAME_MS) };
    this.#spinner = spinner;
    this.#draw();
    return () => this.#end(spinner);
  }

  #draw() {
    if (!this.#spinner) return;
    const { text, since } = this.#spinner;
    const frame = FRAMES[this.#frame++ % FRAMES.length] ?? '';
    this.#erase();
    this.stream.write(`${this.style(frame, 'cyan')} ${text} ${this.style(`(${duration(since)})`, 'dim')}`);
  }

  #erase() {
    if (this.#spinner) this.stream.write('\r\u001b[K');
  }

  /** @param {Spinner | undefined} spinner */
  #end(spinner) {
    if (!spinner || spinner !== this.#spinner) return;
    this.#erase();
    clearInterval(spinner.timer);
    this.#spinner = undefined;
  }
}

/** @param {number} since */
function duration(since) {
  const seconds = (Date.now() - since) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
