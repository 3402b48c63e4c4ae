import { useState } from 'react';
import { useChangePassword } from '../../api/account.js';
import { hasCode, toProblem, type Problem } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { CurrentPasswordField, wrongPassword } from '../../components/current-password-field.js';
import { Form } from '../../components/form.js';
import { NewPasswordField } from '../../components/new-password-field.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';

export function PasswordSection({ email }: { email: string }) {
  const change = useChangePassword();
  // A new key renders an empty form after success.
  const [sent, setSent] = useState(0);
  const submit = ({ current_password = '', new_password = '' }: Record<string, string>) =>
    change.mutate({ current_password, new_password }, { onSuccess: () => setSent(sent + 1) });
  return (
    <Section id="password" title="Password">
      <div className="section__body">
        <Form
          key={sent}
          label="Change password"
          busy={change.isPending}
          problem={change.error && problemOf(change.error)}
          onSubmit={submit}
        >
          {change.isSuccess && (
            <Notice tone="success" role="status">
              <p>Your password was changed. Other devices were signed out.</p>
            </Notice>
          )}
          {/* Tells password managers which user the password belongs to. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <div className="form__row">
            <CurrentPasswordField />
            <NewPasswordField name="new_password" label="New password" missing="Choose a new password." />
          </div>
          <div className="section__foot section__foot--inside">
            <span>You stay signed in here. All other devices are signed out.</span>
            <Button type="submit" look="primary" busy={change.isPending}>
              Change password
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  );
}

/**
 * Converts the error of a change of the password. Two errors are shown at their fields: the new
 * password is the current one, and the current password is wrong. Others are converted by
 * `toProblem`.
 */
function problemOf(error: Error): Problem {
  if (hasCode(error, 'password.unchanged')) {
    return {
      kind: 'fields',
      fields: { new_password: 'This is your current password. Choose another one.' },
      other: [],
    };
  }
  return wrongPassword(error) ?? toProblem(error, ['current_password', 'new_password']);
}
