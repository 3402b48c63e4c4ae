import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { SyncAnswer } from './worker-protocol.js';

/** Receives answers in a thread that is blocked until they arrive. */
export class SyncAnswers {
  constructor(
    /** Set to 1 by each answer. */
    private readonly flag: Int32Array,
    private readonly port: MessagePort,
    /** Called for each answer that arrives, even if no call waits for it any more. */
    private readonly onArrived: (answer: SyncAnswer) => void,
  ) {}

  /**
   * Sends a call, and blocks the thread until its answer arrives; late answers to earlier calls are
   * dropped. Returns undefined if no answer arrives within `timeoutMs`.
   */
  waitFor({ run, call }: { run: number; call: number }, send: () => void, timeoutMs: number): SyncAnswer | undefined {
    const until = performance.now() + timeoutMs;
    Atomics.store(this.flag, 0, 0);
    send();
    for (;;) {
      const left = until - performance.now();
      const isOver = left <= 0 || Atomics.wait(this.flag, 0, 0, left) === 'timed-out';
      // Reset before reading, so that an answer that arrives meanwhile is not missed.
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
