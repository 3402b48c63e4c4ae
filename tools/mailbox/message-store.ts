import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Message {
  id: string;
  /** Recipients of the envelope, joined with ", ". */
  to: string;
  from: string;
  subject: string;
  text: string | null;
  html: string | null;
  received_at: string;
}

const CAPACITY = 500;

/**
 * Stores the latest 500 messages in a file, one line of JSON each, so that they survive a restart.
 */
export class MessageStore {
  /** Oldest first, as in the file. */
  private messages: Message[];
  private linesInFile: number;

  constructor(private readonly file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    this.messages = lines.flatMap(parse).slice(-CAPACITY);
    this.linesInFile = lines.length;
    if (this.linesInFile !== this.messages.length) this.rewrite();
  }

  /** Messages, newest first. With `to`, only messages to that address. */
  list(to?: string): Message[] {
    const wanted = to?.toLowerCase();
    const isWanted = (message: Message) => !wanted || message.to.toLowerCase().split(', ').includes(wanted);
    return this.messages.filter(isWanted).reverse();
  }

  find(id: string): Message | undefined {
    return this.messages.find((message) => message.id === id);
  }

  add(message: Message): void {
    this.messages = [...this.messages, message].slice(-CAPACITY);
    appendFileSync(this.file, `${JSON.stringify(message)}\n`, { mode: 0o600 });
    this.linesInFile += 1;
    if (this.linesInFile >= 2 * CAPACITY) this.rewrite();
  }

  clear(): void {
    this.messages = [];
    this.rewrite();
  }

  /** Replaces the file in one step, so that a kill leaves either the old or the new content. */
  private rewrite(): void {
    const temporary = `${this.file}.${process.pid}`;
    writeFileSync(temporary, this.messages.map((message) => `${JSON.stringify(message)}\n`).join(''), { mode: 0o600 });
    renameSync(temporary, this.file);
    this.linesInFile = this.messages.length;
  }
}

/** Parses a line. Empty for a half-written line of a killed process. */
function parse(line: string): Message[] {
  try {
    return [JSON.parse(line) as Message];
  } catch {
    return [];
  }
}
