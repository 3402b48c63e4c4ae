import { createHash } from 'node:crypto';
import type { CallResult, DocumentIssue, ReadResult, ToCall, ToRead, ToVerify } from '@platform/app-document';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type CancellationSignal, TaskEnded, WorkerTasks } from '@platform/platform';

type Verified = { ok: true } | { ok: false; issues: DocumentIssue[] | null };

/**
 * Checks documents in a worker thread; the developer who has used the least thread time is next. A
 * document that takes too much time or memory is refused as invalid.
 */
@Injectable()
export class DocumentCheckService implements OnApplicationShutdown {
  readonly tasks = new WorkerTasks({ file: 'checks/worker.cjs' });

  private readonly underWay = new Map<string, Promise<ReadResult>>();

  /**
   * Checks a document. The same document of the same developer, sent several times at once, is
   * checked once. Issues of the document are an answer, not an error.
   *
   * @throws AppError 429 `too_much_waiting` if 60 checks of the developer wait, 503 `unavailable`
   * if too many checks of all developers wait.
   */
  checkDocument(developer: string, task: ToRead): Promise<ReadResult> {
    const key = createHash('sha256')
      .update(JSON.stringify([developer, task.appId ?? null, task.json]))
      .digest('base64');
    const known = this.underWay.get(key);
    if (known) return known;
    const result = this.tasks
      .runTask<ReadResult>(developer, 'read', task)
      .catch(refusal)
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, result);
    return result;
  }

  /**
   * Checks the document of a smoke test (one call of a function, to try it) and the arguments of
   * that call. Issues are an answer, not an error.
   *
   * @throws AppError 429 `too_much_waiting` if 60 checks of the developer wait, 503 `unavailable`
   * if too many checks of all developers wait; the reason of `signal` if it aborts before the check
   * starts.
   */
  checkCall(developer: string, task: ToCall, signal: CancellationSignal): Promise<CallResult> {
    return this.tasks.runTask<CallResult>(developer, 'call', task, { signal }).catch(refusal);
  }

  /**
   * Checks a stored document again, for a job. A failure with `issues` null means that the stored
   * content is damaged.
   */
  verifyStoredDocument(developer: string, task: ToVerify): Promise<Verified> {
    return this.tasks.runTask<Verified>(developer, 'verify', task, { isUnbounded: true }).catch(refusal);
  }

  onApplicationShutdown(): Promise<void> {
    return this.tasks.stop();
  }
}

function refusal(error: unknown): { ok: false; issues: DocumentIssue[] } {
  if (!(error instanceof TaskEnded)) throw error;
  const what = error.reason === 'time' ? 'takes too long' : 'takes too much memory';
  return {
    ok: false,
    issues: [{ pointer: '', rule: 'document_size', message: `Checking this document ${what}. Make it simpler.` }],
  };
}
