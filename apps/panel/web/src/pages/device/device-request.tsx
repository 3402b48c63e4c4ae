import type { DeviceLookupResponse } from '@platform/client';
import { useDeviceDecision, useDeviceRequest } from '../../api/device.js';
import { hasCode, toProblem } from '../../api/problem.js';
import { AuthLayout } from '../../components/auth-layout.js';
import { Button } from '../../components/button.js';
import { Emblem } from '../../components/emblem.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Unreachable, Waiting } from '../../components/waiting.js';
import { DeviceCodeForm } from './device-code-form.js';
import { DeviceDetails } from './device-details.js';
import { DeviceOutcome, refusalOf } from './device-outcome.js';
import { SignedInAs } from './signed-in-as.js';

/** What asks for access with a code, until the person has decided. */
export function DeviceRequest({ code }: { code: string }) {
  const { data, error, isFetching, refetch } = useDeviceRequest(code);
  if (data) return <Decision request={data} />;
  if (!error) return <Waiting label="Looking up the code" />;
  const refusal = refusalOf(error);
  if (refusal) return <DeviceOutcome outcome={refusal} />;
  if (hasCode(error, 'device_code.not_found')) return <DeviceCodeForm code={code} problem={unknownCode} />;
  const problem = toProblem(error, ['user_code']);
  if (problem.kind === 'unavailable') return <Unreachable busy={isFetching} retry={() => void refetch()} />;
  return <DeviceCodeForm code={code} problem={problem} />;
}

const unknownCode = {
  kind: 'fields' as const,
  fields: { user_code: 'There is no such code. Compare it with the one that your device shows.' },
  other: [],
};

function Decision({ request }: { request: DeviceLookupResponse }) {
  const decision = useDeviceDecision(request.user_code);
  const { data, error, isPending, variables } = decision;
  if (data) return <DeviceOutcome outcome={data.status} device={data.label} />;
  const refusal = error && refusalOf(error);
  if (refusal) return <DeviceOutcome outcome={refusal} />;
  return (
    <AuthLayout
      key="decision"
      title="Let this device in?"
      emblem={<Emblem icon="terminal" />}
      intro="It asks to act for you, with everything that you may do. Compare the code with the one that it shows."
      footer={<SignedInAs />}
    >
      <DeviceDetails request={request} />
      <Notice tone="warning" title="Did you start this yourself?">
        <p>If somebody sent you this code or this link, deny it: they want into your account.</p>
      </Notice>
      <ProblemNotice problem={error && toProblem(error)} />
      <div className="device-actions">
        <Button busy={isPending && variables === 'deny'} aria-disabled={isPending} onClick={() => decision.mutate('deny')}>
          Deny
        </Button>
        <Button
          look="primary"
          busy={isPending && variables === 'approve'}
          aria-disabled={isPending}
          onClick={() => decision.mutate('approve')}
        >
          Approve
        </Button>
      </div>
    </AuthLayout>
  );
}
