import type { UserResponse } from '@platform/client';
import { Avatar, fullName } from '../../components/avatar.js';
import { Section } from '../../components/section.js';
import { date } from '../../lib/time.js';

export function ProfileSection({ user }: { user: UserResponse }) {
  const name = fullName(user);
  return (
    <Section id="profile" title="Profile">
      <div className="section__body profile">
        <Avatar user={user} size="large" />
        <div className="profile__name">
          <strong>{name || user.email}</strong>
          {name && <span className="muted">{user.email}</span>}
        </div>
      </div>
      <div className="section__foot">
        <dl className="facts">
          <div>
            <dt>Role</dt>
            <dd>{user.role}</dd>
          </div>
          <div>
            <dt>Tenant</dt>
            <dd>{user.tenant_id}</dd>
          </div>
          <div>
            <dt>Member since</dt>
            <dd>{date(new Date(user.created_at))}</dd>
          </div>
        </dl>
      </div>
    </Section>
  );
}
