import type { CallResponse, TaskAcceptedResponse } from './generated/auth-gateway.js';

/**
 * Narrows the answer of a call that was sent without `Prefer: respond-async`: the platform never
 * turns such a call into a task.
 */
export function answerOfCall(answer: CallResponse | TaskAcceptedResponse): CallResponse {
  if ('task_id' in answer) throw new Error(`The call became the task ${answer.task_id}, although none was requested.`);
  return answer;
}
