import type { PaymentMethodItem, TopUpConfigResponse, TopUpResponse } from '@platform/client';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCards, useTopup, useTopupOffer } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { useSettling } from '../../api/settling.js';
import { Button } from '../../components/button.js';
import { CheckField } from '../../components/check-field.js';
import { ChoiceField } from '../../components/choice-field.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { SettlingNotice, StorageRefused } from '../../components/settling-notice.js';
import { Attempt } from '../../lib/attempt.js';
import { cardName } from '../../lib/cards.js';
import { credits } from '../../lib/credits.js';
import { inMoney } from '../../lib/money.js';
import { proposedCredits } from '../../lib/proposal.js';
import { usePayPage } from '../../lib/use-pay-page.js';

const OTHER = 'other';
const BACK = '/wallet#buy';

export function BuySection() {
  const offer = useTopupOffer();
  const cards = useCards();
  const settling = useSettling('topup');
  return (
    <Section id="buy" title="Buy credits" intro="10 credits cost one cent. Credits that you buy never expire.">
      <Loaded query={offer}>
        {(sold) => (
          <Loaded query={cards}>
            {(kept) => (
              <div className="section__body form">
                <SettlingNotice
                  settling={settling}
                  done="Your credits have arrived. You find the invoice under Payments."
                  late="Your credits will arrive automatically. You find the payment under Payments."
                />
                <BuyForm offer={sold} card={kept.find(({ is_default }) => is_default) ?? null} />
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

function BuyForm({ offer, card }: { offer: TopUpConfigResponse; card: PaymentMethodItem | null }) {
  const { tiers, token_rate: rate, custom_min_cents: minCents, custom_max_cents: maxCents } = offer;
  const buy = useTopup();
  const { pay, isLeaving, isRefused } = usePayPage();
  const [attempt] = useState(() => new Attempt());
  const [query] = useSearchParams();
  const proposed = proposedCredits(query, offer);
  const isTier = proposed === null || tiers.some(({ tokens: value }) => value === proposed);
  const [package_, setPackage] = useState(
    isTier ? String(proposed ?? tiers[1]?.tokens ?? tiers[0]?.tokens ?? OTHER) : OTHER,
  );
  const [typed, setTyped] = useState(isTier ? '' : String(proposed));
  const [paysBy, setPaysBy] = useState<'card' | 'new'>('card');
  const usesCard = card !== null && paysBy === 'card';
  const tokens = Number(package_ === OTHER ? typed : package_);
  const isWhole = Number.isInteger(tokens) && tokens > 0 && tokens % rate === 0;

  const goOn = ({ succeeded, payment_intent_id, client_secret, publishable_key, amount_cents }: TopUpResponse) => {
    if (succeeded) return;
    pay({
      kind: 'payment',
      purpose: 'topup',
      intentId: payment_intent_id,
      clientSecret: client_secret,
      publishableKey: publishable_key,
      title: credits(tokens),
      amountCents: amount_cents,
      back: BACK,
      known: [],
    });
  };
  const submit = ({ save }: Record<string, string>) => {
    const body = {
      tokens,
      price_cents: tokens / rate,
      save_payment_method: !usesCard && save !== undefined,
      off_session: usesCard,
    };
    const key = attempt.begin(body);
    if (key === null) return;
    buy.mutate({ key, body }, { onSuccess: goOn, onSettled: (_answer, error) => attempt.answered(error) });
  };

  return (
    <Form
      label="Buy credits"
      busy={buy.isPending || isLeaving}
      problem={buy.error && toProblem(buy.error, ['tokens'])}
      onSubmit={submit}
    >
      {isRefused && <StorageRefused />}
      {buy.data?.succeeded && (
        <Notice tone="success" role="status">
          <p>
            You paid {inMoney(buy.data.amount_cents)} and received {credits(buy.data.amount_cents * rate)}.
          </p>
        </Notice>
      )}
      <ChoiceField
        name="package"
        label="Amount"
        choices={[
          ...tiers.map(({ label, tokens: value, price_cents }) => ({
            value: String(value),
            label,
            note: inMoney(price_cents),
          })),
          { value: OTHER, label: 'Another amount', note: `${inMoney(minCents)} to ${inMoney(maxCents)}` },
        ]}
        value={package_}
        onChange={setPackage}
      />
      {package_ === OTHER && (
        <Field
          name="tokens"
          label="Credits"
          type="number"
          inputMode="numeric"
          min={minCents * rate}
          max={maxCents * rate}
          step={rate}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          missing="Enter the number of credits."
          hint={`A multiple of ${rate}, at least ${credits(minCents * rate)}.`}
        />
      )}
      {card && (
        <ChoiceField
          name="pays_by"
          label="Pay with"
          choices={[
            { value: 'card', label: cardName(card), note: 'Your default card, at once' },
            { value: 'new', label: 'Enter a card', note: 'On the next page' },
          ]}
          value={paysBy}
          onChange={(value) => setPaysBy(value === 'new' ? 'new' : 'card')}
        />
      )}
      {!usesCard && (
        <CheckField
          name="save"
          label="Save the card for later payments"
          hint="You need not enter it again for the next purchase."
        />
      )}
      <div className="section__foot section__foot--inside">
        <span>You pay {isWhole ? inMoney(tokens / rate) : '…'}.</span>
        <Button type="submit" look="primary" busy={buy.isPending || isLeaving}>
          {usesCard ? 'Buy now' : 'Continue to payment'}
        </Button>
      </div>
    </Form>
  );
}
