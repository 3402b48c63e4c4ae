import type { AutoTopUpSettings, PaymentMethodItem, WalletResponse } from '@platform/client';
import { useState } from 'react';
import { Link } from 'react-router';
import { useWallet } from '../../api/billing.js';
import { useAutoTopup, useCards, useChangeAutoTopup } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CheckField } from '../../components/check-field.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { SelectField } from '../../components/select-field.js';
import { AutoTopUpState } from './auto-topup-state.js';
import { cardName } from '../../lib/cards.js';
import { consentText } from '../../lib/consent-text.js';
import { credits } from '../../lib/credits.js';
import { inMoney, toCents } from '../../lib/money.js';

const FIELDS = ['threshold_pct', 'recharge_tokens', 'daily_cap_cents', 'monthly_cap_cents'];
const CREDITS_PER_CENT = 10;

export function AutoTopUpSection() {
  const settings = useAutoTopup();
  const cards = useCards();
  const wallet = useWallet();
  return (
    <Section
      id="auto-topup"
      title="Automatic top-up"
      intro="Buys credits with your card when your balance is low, so that your apps keep running. Off by default."
    >
      <Loaded query={settings}>
        {(found) => (
          <Loaded query={cards}>
            {(kept) => (
              <Loaded query={wallet}>{(now) => <AutoTopUp settings={found} cards={kept} wallet={now} />}</Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

interface AutoTopUpProps {
  settings: AutoTopUpSettings;
  cards: readonly PaymentMethodItem[];
  wallet: WalletResponse;
}

function AutoTopUp({ settings, cards, wallet }: AutoTopUpProps) {
  return (
    <div className="section__body form">
      <AutoTopUpState settings={settings} />
      {cards.length ? (
        <AutoTopUpForm settings={settings} cards={cards} wallet={wallet} />
      ) : (
        <p className="muted">
          Automatic top-up needs a saved card. <Link to="/payments#cards">Add one under Payments</Link> first.
        </p>
      )}
    </div>
  );
}

function AutoTopUpForm({ settings, cards, wallet }: AutoTopUpProps) {
  const change = useChangeAutoTopup();
  const announce = useAnnounce();
  const [typed, setTyped] = useState({
    threshold_pct: String(settings.threshold_pct),
    recharge_tokens: String(settings.recharge_tokens),
    daily_cap_cents: (settings.daily_cap_cents / 100).toFixed(2),
    monthly_cap_cents: (settings.monthly_cap_cents / 100).toFixed(2),
    payment_method_id: settings.payment_method_id,
  });
  const type = (name: keyof typeof typed) => (value: string) => setTyped((before) => ({ ...before, [name]: value }));
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => type(name)(target.value),
    type: 'number',
    required: true,
  });
  const tokens = Number(typed.recharge_tokens);
  const terms = {
    thresholdPct: Number(typed.threshold_pct),
    thresholdTokens: Math.floor((wallet.included_tokens * Number(typed.threshold_pct)) / 100),
    rechargeTokens: tokens,
    rechargeCents: tokens / CREDITS_PER_CENT,
    hasOwnCard: typed.payment_method_id !== '',
    dailyCapCents: toCents(typed.daily_cap_cents),
    monthlyCapCents: toCents(typed.monthly_cap_cents),
  };

  const save = () =>
    change.mutate({
      enabled: true,
      threshold_pct: terms.thresholdPct,
      recharge_tokens: terms.rechargeTokens,
      recharge_cents: terms.rechargeCents,
      payment_method_id: typed.payment_method_id,
      daily_cap_cents: terms.dailyCapCents,
      monthly_cap_cents: terms.monthlyCapCents,
    });
  const turnOff = () => change.mutate({ enabled: false }, { onSuccess: () => announce('Automatic top-up is off.') });
  const isTurningOff = change.isPending && !change.variables.enabled;

  return (
    <Form
      label="Automatic top-up"
      busy={change.isPending}
      problem={change.error && toProblem(change.error, FIELDS)}
      onSubmit={save}
    >
      {change.isSuccess && change.data.enabled && (
        <Notice tone="success" role="status">
          <p>Automatic top-up is on.</p>
        </Notice>
      )}
      <div className="form__row">
        <Field
          {...field('threshold_pct')}
          label="Buy when below (% of plan credits)"
          min={1}
          max={50}
          step={1}
          missing="Enter a percentage from 1 to 50."
          hint={`${credits(Number.isFinite(terms.thresholdTokens) ? terms.thresholdTokens : 0)} with your current plan.`}
        />
        <Field
          {...field('recharge_tokens')}
          label="Credits to buy"
          min={500}
          step={CREDITS_PER_CENT}
          missing="Enter the number of credits to buy."
          hint={`For ${inMoney(terms.rechargeCents)} each time.`}
        />
        <Field
          {...field('daily_cap_cents')}
          label="Daily limit (dollars)"
          min={0.5}
          step={0.01}
          missing="Enter the daily limit in dollars."
        />
        <Field
          {...field('monthly_cap_cents')}
          label="Monthly limit (dollars)"
          min={0.5}
          step={0.01}
          missing="Enter the monthly limit in dollars."
        />
      </div>
      <SelectField
        name="payment_method_id"
        label="Card"
        options={[
          { value: '', label: 'My default card' },
          ...cards.map((card) => ({ value: card.id, label: cardName(card) })),
        ]}
        defaultValue={typed.payment_method_id}
        onChange={type('payment_method_id')}
      />
      <Notice tone="info" title="Your agreement">
        <p>{consentText(terms)}</p>
      </Notice>
      <CheckField
        name="consent"
        label="I agree to this"
        required
        missing="Check this box to turn on automatic top-up."
      />
      <div className="section__foot section__foot--inside">
        <span>{settings.enabled ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}</span>
        <span className="form__actions">
          {settings.enabled && (
            <Button busy={isTurningOff} onClick={turnOff}>
              Turn off
            </Button>
          )}
          <Button type="submit" look="primary" busy={change.isPending && !isTurningOff}>
            {settings.enabled ? 'Save changes' : 'Turn on'}
          </Button>
        </span>
      </div>
    </Form>
  );
}
