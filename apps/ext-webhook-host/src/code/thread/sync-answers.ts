import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { SyncAnswer } from './worker-protocol.js';

/** What a thread waits for while it does nothing else. */
export class SyncAnswers {
  constructor(
    /** Becomes 1 with each answer. */
    private readonly flag: Int32Array,
    private readonly port: MessagePort,
    /** Told of each that arrives, also of those that nobody waits for any more. */
    private readonly onArrived: (answer: SyncAnswer) => void,
  ) {}

  /** The answer to this very call: one that came too late for a call before is dropped. Undefined: there was none in time. */
  waitFor({ run, call }: { run: number; call: number }, send: () => void, timeoutMs: number): SyncAnswer | undefined {
    const until = performance.now() + timeoutMs;
    Atomics.store(this.flag, 0, 0);
    send();
    for (;;) {
      const left = until - performance.now();
      const isOver = left <= 0 || Atomics.wait(this.flag, 0, 0, left) === 'timed-out';
      // Before looking, so that what comes meanwhile is not missed.
      Atomics.store(this.flag, 0, 0);
      const answer = this.receive(run, call);
      if (answer || isOver) return answer;
    }
  }

  private receive(run: number, call: number): SyncAnswer | undefined {
    for (;;) {
      const answer = receiveMessageOnPort(this.port)?.message as SyncAnswer | undefined;
      if (!answer) return undefined;
      this.onArrived(answer);
      if (answer.run === run && answer.call === call) return answer;
    }
  }
}
