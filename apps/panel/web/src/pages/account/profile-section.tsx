import type { UserResponse } from '@platform/client';
import { Avatar, fullName } from '../../components/avatar.js';
import { Facts } from '../../components/facts.js';
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
        <Facts
          facts={[
            ['Role', user.role],
            ['Tenant', user.tenant_id],
            ['Member since', date(new Date(user.created_at))],
          ]}
        />
      </div>
    </Section>
  );
}
