import {
  answerOfCall,
  ApiError,
  call,
  isTransient,
  type AppWebhook,
  type CallResponse,
  type DeployResponse,
  type PlatformClient,
} from '@platform/client';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const GIVE_UP_AFTER_MS = 120_000;

/** The platform's answer to a finished deploy. */
export interface DeployReceipt {
  app_id: string;
  deployed_at: string;
  steps_registered: number;
  ir_version: string;
  webhooks: AppWebhook[];
  /** Issues that do not prevent the deploy. */
  warnings: string[];
  /** New parts of a version that waits for review while the previous version runs; else null. */
  waits_for: DeployResponse['waits_for'];
  /** True if the same content was deployed already. */
  unchanged: boolean;
}

export interface DeployRequest {
  client: PlatformClient;
  userId: string;
  appId: string;
  document: unknown;
  pause: (ms: number) => Promise<unknown>;
  /** Called with the reason for each retry. */
  onTrouble: (reason: string) => void;
}

/** The platform refused the deploy. The answer's data has the `issues` of an invalid document. */
export class DeployRefused extends Error {
  override name = 'DeployRefused';

  constructor(readonly answer: CallResponse) {
    super(answer.error ?? 'The deploy failed.');
  }
}

/**
 * Deploys a document and retries temporary failures for up to two minutes. Retries are safe: the
 * same document is never deployed twice. After a retry, `unchanged` is false: a lost answer may
 * have been that of the deploy.
 *
 * @throws DeployRefused if the platform refuses the deploy, ApiError if it refuses the request,
 * ConnectionError if it does not answer; in each case after the retries if the failure is
 * temporary.
 */
export async function deployDocument({
  client,
  userId,
  appId,
  document,
  pause,
  onTrouble,
}: DeployRequest): Promise<DeployReceipt> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  const body = {
    user_id: userId,
    function: 'deploy_ir',
    params: { app_id: appId, ir_dict: document as Record<string, unknown> },
  };
  let isFirst = true;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await call(
      client.POST('/v1/extensions/{app_id}/call', { params: { path: { app_id: 'developer' } }, body }),
    )
      .then(answerOfCall)
      .catch((error: unknown) => {
        if (isTransient(error)) return error as Error;
        throw error;
      });
    if ('status' in outcome && outcome.status === 'success') {
      const receipt = outcome.data as unknown as DeployReceipt;
      // An earlier attempt of this command deployed it, and its answer was lost.
      return isFirst || !receipt.unchanged ? receipt : { ...receipt, unchanged: false };
    }
    isFirst = false;
    const failure = outcome instanceof Error ? outcome : new DeployRefused(outcome);
    const waitMs = failure instanceof ApiError ? Math.max(pauseMs, (failure.retryAfterSeconds ?? 0) * 1000) : pauseMs;
    if ((failure instanceof DeployRefused && !failure.answer.retryable) || Date.now() + waitMs > deadline)
      throw failure;
    onTrouble(failure.message);
    await pause(waitMs);
  }
}
