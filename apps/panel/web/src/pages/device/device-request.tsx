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

/** Shows a device that asks for access with a code, until the user decides. */
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
  fields: { user_code: 'This code does not exist. Compare it with the code on your device.' },
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
      title="Allow this device?"
      emblem={<Emblem icon="terminal" />}
      intro="The device asks for full access to your account. Compare the code with the code that it shows."
      footer={<SignedInAs />}
    >
      <DeviceDetails request={request} />
      <Notice tone="warning" title="Did you start this sign-in?">
        <p>If somebody sent you this code or link, deny it: they want access to your account.</p>
      </Notice>
      <ProblemNotice problem={error && toProblem(error)} />
      <div className="device-actions">
        <Button
          busy={isPending && variables === 'deny'}
          aria-disabled={isPending}
          onClick={() => decision.mutate('deny')}
        >
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
