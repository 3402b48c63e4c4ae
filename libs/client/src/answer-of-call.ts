import type { CallResponse, TaskAcceptedResponse } from './generated/auth-gateway.js';

/** What a function gave that was called without `Prefer: respond-async`: such a call is never made a task. */
export function answerOfCall(answer: CallResponse | TaskAcceptedResponse): CallResponse {
  if ('task_id' in answer) throw new Error(`The call goes on as ${answer.task_id}, which nobody asked for.`);
  return answer;
}
