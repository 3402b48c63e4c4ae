import { createHash } from 'node:crypto';
import type { CallResult, DocumentIssue, ReadResult, ToCall, ToRead, ToVerify } from '@platform/app-document';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type CancellationSignal, TaskEnded, WorkerTasks } from '@platform/platform';

type Verified = { ok: true } | { ok: false; issues: DocumentIssue[] | null };

/**
 * Checks documents in a thread of its own, for developers in turns. Each has at most 60 documents waiting, and whoever sends more is
 * answered 429; the same document sent several times at once is checked once. A document that takes too long or too much memory is refused like any other that is wrong.
 */
@Injectable()
export class DocumentChecker implements OnApplicationShutdown {
  readonly tasks = new WorkerTasks({ file: 'checks/worker.cjs' });

  private readonly underWay = new Map<string, Promise<ReadResult>>();

  read(developer: string, task: ToRead): Promise<ReadResult> {
    const key = createHash('sha256')
      .update(JSON.stringify([developer, task.appId ?? null, task.json]))
      .digest('base64');
    const known = this.underWay.get(key);
    if (known) return known;
    const result = this.tasks
      .run<ReadResult>(developer, 'read', task)
      .catch(refusal)
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, result);
    return result;
  }

  /** The document of a smoke test, and the arguments of its function. */
  call(developer: string, task: ToCall, signal: CancellationSignal): Promise<CallResult> {
    return this.tasks.run<CallResult>(developer, 'call', task, { signal }).catch(refusal);
  }

  /** Of a stored document, for a job; without issues it is another one. */
  verify(developer: string, task: ToVerify): Promise<Verified> {
    return this.tasks.run<Verified>(developer, 'verify', task, { isUnbounded: true }).catch(refusal);
  }

  onApplicationShutdown(): Promise<void> {
    return this.tasks.stop();
  }
}

function refusal(error: unknown): { ok: false; issues: DocumentIssue[] } {
  if (!(error instanceof TaskEnded)) throw error;
  const what = error.reason === 'time' ? 'takes too long' : 'takes too much memory';
  return { ok: false, issues: [{ pointer: '', rule: 'document_size', message: `To check this document ${what}. Make it simpler.` }] };
}
