import type { KeyListItem } from '@platform/client';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useDeleteKey } from '../../api/account.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon } from '../../components/icons.js';
import { focusSection } from '../../components/section.js';
import { Time } from '../../components/time.js';

export function KeyItem({
  apiKey: { id, name, key_prefix, scopes, last_used_at, expires_at, created_at },
}: {
  apiKey: KeyListItem;
}) {
  const [asking, setAsking] = useState(false);
  const remove = useDeleteKey();
  const announce = useAnnounce();
  const hasExpired = expires_at !== null && new Date(expires_at) < new Date();

  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        flushSync(() => setAsking(false)); // an open dialog keeps the focus, so it must close first
        focusSection('keys');
        announce(`The key ${name} was deleted.`);
      },
    });

  return (
    <li className="list__item">
      <span className="list__icon">
        <Icon name="key" />
      </span>
      <div className="list__text">
        <div className="list__title">
          {name}
          {hasExpired && <Badge tone="warning">Expired</Badge>}
        </div>
        <div className="list__note">
          <code>{key_prefix}…</code>
          <span>{scopes === '*' ? 'All of your permissions' : scopes.split(',').join(', ')}</span>
          <span>
            {last_used_at ? (
              <>
                Used <Time at={last_used_at} />
              </>
            ) : (
              'Never used'
            )}
          </span>
          <span>
            {expires_at ? (
              <>
                {hasExpired ? 'Expired' : 'Expires'} <Time at={expires_at} />
              </>
            ) : (
              <>
                Created <Time at={created_at} />
              </>
            )}
          </span>
        </div>
      </div>
      <Button size="small" icon="trash" aria-label={`Delete the key ${name}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          action="Delete key"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          Programs that use this key stop working at once. This cannot be undone.
        </ConfirmDialog>
      )}
    </li>
  );
}
