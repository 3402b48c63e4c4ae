import { useState } from 'react';
import { useAddCard, useCards } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { useSettling } from '../../api/settling.js';
import { Button } from '../../components/button.js';
import { List } from '../../components/list.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Section } from '../../components/section.js';
import { SettlingNotice, StorageRefused } from '../../components/settling-notice.js';
import { Attempt } from '../../lib/attempt.js';
import { usePayPage } from '../../lib/use-pay-page.js';
import { CardItem } from './card-item.js';

export function CardsSection() {
  const cards = useCards();
  const add = useAddCard();
  const settling = useSettling('card');
  const { pay, isLeaving, isRefused } = usePayPage();
  const [attempt] = useState(() => new Attempt());

  const begin = () => {
    const key = attempt.begin('card');
    if (key === null) return;
    add.mutate(key, {
      onSuccess: ({ client_secret, setup_intent_id, publishable_key }) =>
        pay({
          kind: 'setup',
          purpose: 'card',
          intentId: setup_intent_id,
          clientSecret: client_secret,
          publishableKey: publishable_key,
          title: 'A card for later payments',
          amountCents: null,
          back: '/payments#cards',
          known: cards.data?.map(({ id }) => id) ?? [],
        }),
      onSettled: (_answer, error) => attempt.answered(error),
    });
  };

  const hasSaid = add.error !== null || isRefused || settling.phase !== 'none';
  return (
    <Section
      id="cards"
      title="Cards"
      intro="The default card pays your plan and instant purchases. The card number is stored by our payment provider, not by us."
      action={
        <Button size="small" icon="plus" busy={add.isPending || isLeaving} aria-disabled={!cards.data} onClick={begin}>
          Add card
        </Button>
      }
    >
      {hasSaid && (
        <div className="section__body form">
          <SettlingNotice settling={settling} done="The card was saved." late="The card will appear here." />
          <ProblemNotice problem={add.error && toProblem(add.error)} />
          {isRefused && <StorageRefused />}
        </div>
      )}
      <List
        query={cards}
        empty={
          <>
            <strong>No cards yet</strong>
            <span>Save a card to buy credits instantly and to renew your plan automatically.</span>
          </>
        }
      >
        {(card) => <CardItem key={card.id} card={card} />}
      </List>
    </Section>
  );
}
