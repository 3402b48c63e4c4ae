import { useWalletHistory } from '../../api/billing.js';
import { List } from '../../components/list.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { credits, signedCredits } from '../../lib/credits.js';

const REASONS: Record<string, string> = {
  action_charge: 'App usage',
  admin_adjustment: 'Adjusted by an administrator',
  app_subscription: 'Monthly price of an app',
  call_charge: 'Function call',
  closure: 'Wallet closed',
  debt_payment: 'Debt payment',
  earnings_to_debt: 'Debt payment from your earnings',
  expiry: 'Expired',
  refund: 'Refund',
  subscription_grant: 'Plan credits',
  test_credits: 'Credits of a test payment removed',
  tier_fee: 'Developer tier',
  topup: 'Credits purchased',
};

export function HistorySection() {
  const history = useWalletHistory();
  return (
    <Section id="history" title="History" intro="The newest 50 entries.">
      <List
        query={history}
        empty={
          <>
            <strong>No entries yet</strong>
            <span>Credits that you receive and spend appear here.</span>
          </>
        }
      >
        {({ id, amount, reason, app_id, function: name, description, created_at, balance_after }) => (
          <li className="list__item" key={id}>
            <div className="list__text">
              <div className="list__title">{REASONS[reason] ?? reason}</div>
              <div className="list__note">
                {app_id && <span>{name ? `${app_id}: ${name}` : app_id}</span>}
                {description && <span>{description}</span>}
                {created_at && (
                  <span>
                    <Time at={created_at} />
                  </span>
                )}
                <span>{credits(balance_after)} left</span>
              </div>
            </div>
            <strong>{signedCredits(amount)}</strong>
          </li>
        )}
      </List>
    </Section>
  );
}
