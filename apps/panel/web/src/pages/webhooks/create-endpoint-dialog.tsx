import { toProblem } from '../../api/problem.js';
import { useCreateEndpoint } from '../../api/webhook-endpoints.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Form } from '../../components/form.js';
import { ENDPOINT_FIELDS, EndpointFields, endpointOf } from './endpoint-fields.js';
import { SecretDialog } from './secret-dialog.js';

export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateEndpoint();
  const submit = (values: Record<string, string>) => create.mutate(endpointOf(values));
  if (create.data) return <SecretDialog secret={create.data.secret} onClose={onClose} />;
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <Form
        busy={create.isPending}
        problem={create.error && toProblem(create.error, ENDPOINT_FIELDS)}
        onSubmit={submit}
      >
        <EndpointFields />
        <div className="dialog__actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Add endpoint
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
