import type { WebhookEndpoint } from '@platform/client';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toProblem } from '../../api/problem.js';
import {
  useChangeEndpoint,
  useDeleteEndpoint,
  useRotateSecret,
  useTestEndpoint,
  useTriedDelivery,
} from '../../api/webhook-endpoints.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { ChangeEndpointDialog } from './change-endpoint-dialog.js';
import { outcomeOf } from './delivery-outcome.js';
import { SecretDialog } from './secret-dialog.js';

/** Buttons for the actions of an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status } = endpoint;
  const [asking, setAsking] = useState<'change' | 'rotate' | 'delete' | null>(null);
  const test = useTestEndpoint(id);
  const change = useChangeEndpoint(id);
  const close = () => setAsking(null);
  const isEnabled = status === 'enabled';
  return (
    <>
      <div className="section__body form">
        <TestResult endpointId={id} deliveryId={test.data?.id} />
        <ProblemNotice problem={(test.error ?? change.error) && toProblem(test.error ?? change.error)} />
      </div>
      <div className="section__foot">
        <span className="form__actions">
          <Button size="small" busy={test.isPending} aria-disabled={!isEnabled} onClick={() => test.mutate()}>
            Send test event
          </Button>
          <Button size="small" onClick={() => setAsking('change')}>
            Edit
          </Button>
          <Button size="small" icon="key" onClick={() => setAsking('rotate')}>
            New secret
          </Button>
          <Button
            size="small"
            busy={change.isPending}
            onClick={() => change.mutate({ status: isEnabled ? 'disabled' : 'enabled' })}
          >
            {isEnabled ? 'Disable' : 'Enable'}
          </Button>
        </span>
        <Button size="small" icon="trash" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </div>
      {asking === 'change' && <ChangeEndpointDialog endpoint={endpoint} onClose={close} />}
      {asking === 'rotate' && <RotateDialog id={id} onClose={close} />}
      {asking === 'delete' && <DeleteDialog id={id} onClose={close} />}
    </>
  );
}

function TestResult({ endpointId, deliveryId }: { endpointId: string; deliveryId: string | undefined }) {
  const { data } = useTriedDelivery(endpointId, deliveryId);
  if (deliveryId === undefined) return null;
  const isOver = data && (data.status !== 'pending' || data.attempts > 0);
  return (
    <Notice tone={!isOver ? 'info' : data.status === 'delivered' ? 'success' : 'warning'} role="status">
      <p>{isOver ? `The test: ${outcomeOf(data)}` : 'The test is being sent.'}</p>
    </Notice>
  );
}

function RotateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const rotate = useRotateSecret(id);
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Create a new secret?"
      action="New secret"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      For 24 hours, deliveries are also signed with the previous secret, so that you can update your system.
    </ConfirmDialog>
  );
}

function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const remove = useDeleteEndpoint(id);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      action="Delete endpoint"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate('/webhooks') })}
      onClose={onClose}
    >
      It receives no more events, and pending deliveries are dropped. This cannot be undone.
    </ConfirmDialog>
  );
}
