import type { WebhookEndpoint } from '@platform/client';
import { toProblem } from '../../api/problem.js';
import { useChangeEndpoint } from '../../api/webhook-endpoints.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Form } from '../../components/form.js';
import { ENDPOINT_FIELDS, EndpointFields, endpointOf } from './endpoint-fields.js';

export function ChangeEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const change = useChangeEndpoint(endpoint.id);
  const submit = (values: Record<string, string>) => change.mutate(endpointOf(values), { onSuccess: onClose });
  return (
    <Dialog title="Edit endpoint" onClose={onClose}>
      <Form
        busy={change.isPending}
        problem={change.error && toProblem(change.error, ENDPOINT_FIELDS)}
        onSubmit={submit}
      >
        <EndpointFields endpoint={endpoint} />
        <div className="dialog__actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
