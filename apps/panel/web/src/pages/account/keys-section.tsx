import { useState } from 'react';
import { useKeys } from '../../api/account.js';
import { Button } from '../../components/button.js';
import { List } from '../../components/list.js';
import { Section } from '../../components/section.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { KeyItem } from './key-item.js';

export function KeysSection() {
  const keys = useKeys();
  const [creating, setCreating] = useState(false);
  return (
    <Section
      id="keys"
      title="API keys"
      intro="For programs that act for you. A key works until you delete it or it expires, even while you are signed out."
      action={
        <Button size="small" icon="plus" onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      <List
        query={keys}
        empty={
          <>
            <strong>No API keys yet</strong>
            <span>Create one for a script or a service that calls the platform.</span>
          </>
        }
      >
        {(key) => <KeyItem key={key.id} apiKey={key} />}
      </List>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}
