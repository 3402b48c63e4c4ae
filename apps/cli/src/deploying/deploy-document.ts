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

/** What the platform says of a deploy that is done. */
export interface DeployReceipt {
  app_id: string;
  deployed_at: string;
  steps_registered: number;
  ir_version: string;
  /** An older platform says nothing of them. */
  webhooks?: AppWebhook[];
  /** What is not wrong, but perhaps not meant. Absent from platforms of before. */
  warnings?: string[];
  /** What is new in the version, where it waits for a review and the one before runs on. Absent from platforms of before. */
  waits_for?: DeployResponse['waits_for'];
  /** Whether it was deployed already. Absent from platforms of before. */
  unchanged?: boolean;
}

export interface DeployRequest {
  client: PlatformClient;
  userId: string;
  appId: string;
  document: unknown;
  pause: (ms: number) => Promise<unknown>;
  /** Told why it is tried again. */
  onTrouble: (reason: string) => void;
}

/** The function refused. `issues` are those of a document that this platform does not take. */
export class DeployRefused extends Error {
  override name = 'DeployRefused';

  constructor(readonly answer: CallResponse) {
    super(answer.error ?? 'The deploy failed.');
  }
}

/** Deploys a document, and tries again whatever may pass: the same document is never deployed twice. */
export async function deployDocument({ client, userId, appId, document, pause, onTrouble }: DeployRequest): Promise<DeployReceipt> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  const body = { user_id: userId, function: 'deploy_ir', params: { app_id: appId, ir_dict: document as Record<string, unknown> } };
  let isFirst = true;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await call(client.POST('/v1/extensions/{app_id}/call', { params: { path: { app_id: 'developer' } }, body }))
      .then(answerOfCall)
      .catch((error: unknown) => {
        if (isTransient(error)) return error as Error;
        throw error;
      });
    if ('status' in outcome && outcome.status === 'success') {
      const receipt = outcome.data as unknown as DeployReceipt;
      // What an attempt did whose answer was lost is done by this command.
      return isFirst || !receipt.unchanged ? receipt : { ...receipt, unchanged: false };
    }
    isFirst = false;
    const failure = outcome instanceof Error ? outcome : new DeployRefused(outcome);
    const waitMs = failure instanceof ApiError ? Math.max(pauseMs, (failure.retryAfterSeconds ?? 0) * 1000) : pauseMs;
    if ((failure instanceof DeployRefused && !failure.answer.retryable) || Date.now() + waitMs > deadline) throw failure;
    onTrouble(failure.message);
    await pause(waitMs);
  }
}
