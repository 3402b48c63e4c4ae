import { hasCode, toProblem } from '../../api/problem.js';
import { AuthLayout } from '../../components/auth-layout.js';
import { ButtonLink } from '../../components/button.js';
import { Emblem } from '../../components/emblem.js';
import { waitingTime } from '../../lib/time.js';

type Outcome =
  | 'approved'
  | 'denied'
  | 'expired'
  | 'processed'
  /** The user entered too many wrong codes. */
  | { waitSeconds: number };

/**
 * Outcome for refusals after which the user can no longer decide: the code has expired, was used
 * already, or too many codes were entered. Null for other errors.
 */
export function refusalOf(error: Error): Outcome | null {
  if (hasCode(error, 'device_code.expired')) return 'expired';
  if (hasCode(error, 'device_code.already_processed')) return 'processed';
  const problem = toProblem(error);
  return problem.kind === 'wait' ? { waitSeconds: problem.seconds } : null;
}

/** Shows the result of a device login, with the next step. */
export function DeviceOutcome({ outcome, device }: { outcome: Outcome; device?: string | null }) {
  if (typeof outcome === 'object') {
    return (
      <AuthLayout
        key="wait"
        title="Too many attempts"
        emblem={<Emblem icon="alert" tone="warning" />}
        intro={`Too many codes were entered. Wait ${waitingTime(outcome.waitSeconds)}, then start again on your device.`}
      >
        <ButtonLink to="/" wide>
          Go to your account
        </ButtonLink>
      </AuthLayout>
    );
  }
  switch (outcome) {
    case 'approved':
      return (
        <AuthLayout
          key="approved"
          title="Your device is signed in"
          emblem={<Emblem icon="check" tone="success" />}
          intro={`You can go back to your terminal and close this page. ${device ?? 'The device'} now shows among your sessions, where you can sign it out.`}
        >
          <ButtonLink to="/#sessions" wide>
            See your sessions
          </ButtonLink>
        </AuthLayout>
      );
    case 'denied':
      return (
        <AuthLayout
          key="denied"
          title="Sign-in denied"
          emblem={<Emblem icon="shield" tone="destructive" />}
          intro="The device did not get access. If somebody sent you the code, they can no longer use it."
        >
          <ButtonLink to="/" wide>
            Go to your account
          </ButtonLink>
        </AuthLayout>
      );
    case 'expired':
      return (
        <AuthLayout
          key="expired"
          title="This code has expired"
          emblem={<Emblem icon="alert" tone="warning" />}
          intro="Codes work for ten minutes. Start the sign-in on your device again to get a new code."
        >
          <ButtonLink to="/device" look="primary" wide>
            Enter a new code
          </ButtonLink>
        </AuthLayout>
      );
    case 'processed':
      return (
        <AuthLayout
          key="processed"
          title="This code was already used"
          emblem={<Emblem icon="info" />}
          intro="The code was already approved or denied. If that was not you, check your sessions and change your password."
        >
          <ButtonLink to="/#sessions" wide>
            See your sessions
          </ButtonLink>
        </AuthLayout>
      );
  }
}
