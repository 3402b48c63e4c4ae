import type { CallResponse, TaskAcceptedResponse } from './generated/auth-gateway.js';

/**
 * Narrows the answer of a call of a function that was sent without `Prefer: respond-async`. The
 * platform never turns such a call into a task, whose result must be read later.
 *
 * @throws Error if the answer is a task nevertheless.
 */
export function answerOfCall(answer: CallResponse | TaskAcceptedResponse): CallResponse {
  if ('task_id' in answer) throw new Error(`The call became the task ${answer.task_id}, although none was requested.`);
  return answer;
}
