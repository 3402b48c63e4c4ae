import { Button } from '../../components/button.js';
import { CopyField } from '../../components/copy-field.js';
import { Dialog } from '../../components/dialog.js';
import { Notice } from '../../components/notice.js';

/** Shows a secret once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog key="secret" title="Copy the secret now" onClose={onClose} staysOpen>
      <Notice tone="warning">
        <p>The secret is shown only once. Your system needs it to verify the signature of deliveries.</p>
      </Notice>
      <CopyField label="Signing secret" value={secret} />
      <div className="dialog__actions">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
