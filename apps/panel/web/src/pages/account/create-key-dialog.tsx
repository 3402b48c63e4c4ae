import { useCreateKey } from '../../api/account.js';
import { toProblem } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { CopyField } from '../../components/copy-field.js';
import { Dialog } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Notice } from '../../components/notice.js';
import { SelectField } from '../../components/select-field.js';

const DAY_MS = 86_400_000;

/** Days; empty for no expiry. */
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Never' },
];

const FIELDS = ['name', 'scopes', 'expires_at'];

/** Dialog that creates an API key and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateKey();
  const submit = ({ name = '', scopes, expires_at: days }: Record<string, string>) =>
    create.mutate({
      name: name.trim(),
      ...(scopes?.trim() && { scopes: scopes.trim() }),
      ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    });
  if (create.data) return <CreatedKey name={create.data.name} value={create.data.key} onClose={onClose} />;
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <Form busy={create.isPending} problem={create.error && toProblem(create.error, FIELDS)} onSubmit={submit}>
        <Field
          name="name"
          label="Name"
          required
          missing="Give the key a name."
          maxLength={100}
          autoComplete="off"
          hint="The program that will use the key."
        />
        <SelectField name="expires_at" label="Expires after" options={LIFETIMES} />
        <Field
          name="scopes"
          label="Scopes"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Such as users:read,apps:*. Leave empty to give the key all of your permissions."
        />
        <div className="dialog__actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create key
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function CreatedKey({ name, value, onClose }: { name: string; value: string; onClose: () => void }) {
  return (
    <Dialog key="created" title="Copy your key now" onClose={onClose} staysOpen>
      <Notice tone="warning">
        <p>“{name}” is shown only once. Store it like a password.</p>
      </Notice>
      <CopyField label="API key" value={value} />
      <div className="dialog__actions">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
