import type { PaymentMethodItem } from '@platform/client';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useMakeDefault, useRemoveCard } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon } from '../../components/icons.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { focusSection } from '../../components/section.js';
import { cardExpiry, cardName, hasExpired } from '../../lib/cards.js';

export function CardItem({ card }: { card: PaymentMethodItem }) {
  const [asking, setAsking] = useState(false);
  const makeDefault = useMakeDefault();
  const remove = useRemoveCard();
  const announce = useAnnounce();
  const name = cardName(card);

  const choose = () => makeDefault.mutate(card.id, { onSuccess: () => announce(`${name} is now your default card.`) });
  const confirm = () =>
    remove.mutate(card.id, {
      onSuccess: () => {
        flushSync(() => setAsking(false)); // an open dialog keeps the focus, so it must close first
        focusSection('cards');
        announce(`${name} was removed.`);
      },
    });

  return (
    <li className="list__item">
      <span className="list__icon">
        <Icon name="card" />
      </span>
      <div className="list__text">
        <div className="list__title">
          {name}
          {card.is_default && <Badge tone="success">Default</Badge>}
          {hasExpired(card) && <Badge tone="warning">Expired</Badge>}
        </div>
        <div className="list__note">
          <span>
            {hasExpired(card) ? 'Expired' : 'Expires'} {cardExpiry(card)}
          </span>
        </div>
        <ProblemNotice problem={makeDefault.error && toProblem(makeDefault.error)} />
      </div>
      {!card.is_default && (
        <Button size="small" busy={makeDefault.isPending} aria-label={`Make ${name} the default card`} onClick={choose}>
          Make default
        </Button>
      )}
      <Button size="small" icon="trash" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove card"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          This card will not be charged any more. Automatic top-up stops if it used this card.
        </ConfirmDialog>
      )}
    </li>
  );
}
