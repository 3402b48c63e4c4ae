import { useNavigate } from 'react-router';
import type { Problem } from '../../api/problem.js';
import { AuthLayout } from '../../components/auth-layout.js';
import { Button } from '../../components/button.js';
import { Emblem } from '../../components/emblem.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { SignedInAs } from './signed-in-as.js';

const MAX_LENGTH = 32;

interface DeviceCodeFormProps {
  /** The code that was entered before, and its error. */
  code?: string;
  problem?: Problem | null;
}

export function DeviceCodeForm({ code, problem = null }: DeviceCodeFormProps) {
  const navigate = useNavigate();
  const submit = ({ user_code = '' }: Record<string, string>) =>
    void navigate(`/device?code=${encodeURIComponent(user_code.trim().toUpperCase())}`);
  return (
    <AuthLayout
      title="Connect a device"
      emblem={<Emblem icon="terminal" />}
      intro="Enter the code that your terminal or device shows."
      footer={<SignedInAs />}
    >
      <Form busy={false} problem={problem} onSubmit={submit}>
        <Field
          name="user_code"
          label="Code"
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={MAX_LENGTH}
          missing="Enter the code."
          hint="Eight letters, such as BCDF-GHJK."
          data-look="code"
        />
        <Button type="submit" look="primary" wide>
          Continue
        </Button>
      </Form>
    </AuthLayout>
  );
}
