import { Identity1763700000000 } from './1763700000000-identity.js';
import { Outbox1763700000001 } from './1763700000001-outbox.js';
import { IdentityComplete1763800000000 } from './1763800000000-identity-complete.js';
import { Audit1763900000000 } from './1763900000000-audit.js';
import { Agencies1763900000100 } from './1763900000100-agencies.js';
import { AgenciesOfUsers1763900000101 } from './1763900000101-agencies-of-users.js';
import { Tenants1763900000200 } from './1763900000200-tenants.js';
import { Permissions1763900000300 } from './1763900000300-permissions.js';
import { AuthMethods1763900000400 } from './1763900000400-auth-methods.js';
import { Apps1764000000000 } from './1764000000000-apps.js';
import { Marketplace1764000001000 } from './1764000001000-marketplace.js';
import { Deploys1764000002000 } from './1764000002000-deploys.js';
import { DeveloperPortal1764000003000 } from './1764000003000-developer-portal.js';
import { ContentOfEmptyVersions1764000004000 } from './1764000004000-content-of-empty-versions.js';
import { StatisticsOfSearchWords1764000004100 } from './1764000004100-statistics-of-search-words.js';
import { Actions1764220000000 } from './1764220000000-actions.js';
import { PlatformEvents1764320000000 } from './1764320000000-platform-events.js';
import { AppRuntimeChanges1764330000000 } from './1764330000000-app-runtime-changes.js';
import { Automations1764350000000 } from './1764350000000-automations.js';
import { FewerStatisticsOfSearchWords1764351000000 } from './1764351000000-fewer-statistics-of-search-words.js';
import { PendingCredentials1764402000000 } from './1764402000000-pending-credentials.js';
import { DomainsAsDnsKnowsThem1764402000001 } from './1764402000001-domains-as-dns-knows-them.js';
import { InstallationGrants1764403000000 } from './1764403000000-installation-grants.js';
import { GrantsOfBefore1764403000010 } from './1764403000010-grants-of-before.js';
import { GrantsChecked1764403000020 } from './1764403000020-grants-checked.js';
import { ScopeNames1764403000100 } from './1764403000100-scope-names.js';
import { NarrowedByKeys1764403000300 } from './1764403000300-narrowed-by-keys.js';
import { WhatIsKept1764405000000 } from './1764405000000-what-is-kept.js';
import { KeyedAudit1764405000100 } from './1764405000100-keyed-audit.js';
import { AuditEntriesOnce1764405000200 } from './1764405000200-audit-entries-once.js';
import { NarrowedEvents1764406000000 } from './1764406000000-narrowed-events.js';
import { ServedUntil1764409000000 } from './1764409000000-served-until.js';
import { SessionsWithoutBuckets1764409500000 } from './1764409500000-sessions-without-buckets.js';
import { NarrowedDeploys1764410000000 } from './1764410000000-narrowed-deploys.js';
import { InstallNarrowings1764410000100 } from './1764410000100-install-narrowings.js';
import { LimitedFires1764410001000 } from './1764410001000-limited-fires.js';
import { LimitedFiresChecked1764410001010 } from './1764410001010-limited-fires-checked.js';
import { DraftsOfTheDeactivated1764410002000 } from './1764410002000-drafts-of-the-deactivated.js';
import { CredentialsEpoch1764411000000 } from './1764411000000-credentials-epoch.js';
import { RulesOfApps1764412000000 } from './1764412000000-rules-of-apps.js';
import { KeysOfDrafts1764413000000 } from './1764413000000-keys-of-drafts.js';
import { NarrowedAsServed1764413000100 } from './1764413000100-narrowed-as-served.js';
import { KeysOfOldEvents1764413000200 } from './1764413000200-keys-of-old-events.js';
import { StoppedByPlatform1764413000300 } from './1764413000300-stopped-by-platform.js';
import { PendingFires1764414000000 } from './1764414000000-pending-fires.js';
import { EventUsage1764414001000 } from './1764414001000-event-usage.js';
import { InstallNarrowingsOnce1764415000000 } from './1764415000000-install-narrowings-once.js';
import { InstallNarrowingsUnique1764415000010 } from './1764415000010-install-narrowings-unique.js';
import { KeysOfRules1764415000020 } from './1764415000020-keys-of-rules.js';
import { DeferredSignupMails1764416000000 } from './1764416000000-deferred-signup-mails.js';
import { AppsOfDraftsIndex1764418000000 } from './1764418000000-apps-of-drafts-index.js';
import { AppsOfEvents1764418000050 } from './1764418000050-apps-of-events.js';
import { AppsOfDrafts1764418000100 } from './1764418000100-apps-of-drafts.js';
import { AppsOfRules1764418000200 } from './1764418000200-apps-of-rules.js';
import { GrantingKeys1764419000000 } from './1764419000000-granting-keys.js';
import { DraftsThatChange1764420000000 } from './1764420000000-drafts-that-change.js';
import { ListingsOfDocuments1764421300000 } from './1764421300000-listings-of-documents.js';
import { ListingsOfDocumentsChecked1764421300010 } from './1764421300010-listings-of-documents-checked.js';
import { DatabasesOfTenants1764423100000 } from './1764423100000-databases-of-tenants.js';
import { SettingsOfUsers1764500000000 } from './1764500000000-settings-of-users.js';
import { ReplacedVersions1764501000000 } from './1764501000000-replaced-versions.js';
import { ReviewedVersions1764501100000 } from './1764501100000-reviewed-versions.js';
import { ReviewedVersionsIndex1764501100005 } from './1764501100005-reviewed-versions-index.js';
import { ReviewedVersionsChecked1764501100010 } from './1764501100010-reviewed-versions-checked.js';
import { SeenWorkers1764502000100 } from './1764502000100-seen-workers.js';
import { SignInRecords1764502000200 } from './1764502000200-sign-in-records.js';
import { DocumentPurges1764503000100 } from './1764503000100-document-purges.js';
import { NamedReviews1764510000100 } from './1764510000100-named-reviews.js';
import { ApprovedInTheMarketplace1764510000200 } from './1764510000200-approved-in-the-marketplace.js';
import { PurgesOfAll1764520000100 } from './1764520000100-purges-of-all.js';
import { PurgesOfBefore1764520000200 } from './1764520000200-purges-of-before.js';
import { HostsOfVersions1764530000100 } from './1764530000100-hosts-of-versions.js';
import { RemovalsOfApps1764532000100 } from './1764532000100-removals-of-apps.js';
import { TalliesThatName1764532000200 } from './1764532000200-tallies-that-name.js';
import { FewHosts1764540000100 } from './1764540000100-few-hosts.js';
import { FewHostsChecked1764540000110 } from './1764540000110-few-hosts-checked.js';
import { MembersOfVersions1764560000100 } from './1764560000100-members-of-versions.js';
import { SharedOutbox1764570000100 } from './1764570000100-shared-outbox.js';
import { CapabilitiesOfVersions1764580000100 } from './1764580000100-capabilities-of-versions.js';

/** Migrations from the time before features had their own. Add none here: a new one goes into `<feature>/migrations/` and `<feature>.schema.ts`. */
export const earlierMigrations = [
  Identity1763700000000,
  Outbox1763700000001,
  IdentityComplete1763800000000,
  Audit1763900000000,
  Agencies1763900000100,
  AgenciesOfUsers1763900000101,
  Tenants1763900000200,
  Permissions1763900000300,
  AuthMethods1763900000400,
  Apps1764000000000,
  Marketplace1764000001000,
  Deploys1764000002000,
  DeveloperPortal1764000003000,
  ContentOfEmptyVersions1764000004000,
  StatisticsOfSearchWords1764000004100,
  Actions1764220000000,
  PlatformEvents1764320000000,
  AppRuntimeChanges1764330000000,
  Automations1764350000000,
  FewerStatisticsOfSearchWords1764351000000,
  PendingCredentials1764402000000,
  DomainsAsDnsKnowsThem1764402000001,
  InstallationGrants1764403000000,
  GrantsOfBefore1764403000010,
  GrantsChecked1764403000020,
  ScopeNames1764403000100,
  NarrowedByKeys1764403000300,
  WhatIsKept1764405000000,
  KeyedAudit1764405000100,
  AuditEntriesOnce1764405000200,
  NarrowedEvents1764406000000,
  ServedUntil1764409000000,
  SessionsWithoutBuckets1764409500000,
  NarrowedDeploys1764410000000,
  InstallNarrowings1764410000100,
  LimitedFires1764410001000,
  LimitedFiresChecked1764410001010,
  DraftsOfTheDeactivated1764410002000,
  CredentialsEpoch1764411000000,
  RulesOfApps1764412000000,
  KeysOfDrafts1764413000000,
  NarrowedAsServed1764413000100,
  KeysOfOldEvents1764413000200,
  StoppedByPlatform1764413000300,
  PendingFires1764414000000,
  EventUsage1764414001000,
  InstallNarrowingsOnce1764415000000,
  InstallNarrowingsUnique1764415000010,
  KeysOfRules1764415000020,
  DeferredSignupMails1764416000000,
  AppsOfDraftsIndex1764418000000,
  AppsOfEvents1764418000050,
  AppsOfDrafts1764418000100,
  AppsOfRules1764418000200,
  GrantingKeys1764419000000,
  DraftsThatChange1764420000000,
  ListingsOfDocuments1764421300000,
  ListingsOfDocumentsChecked1764421300010,
  DatabasesOfTenants1764423100000,
  SettingsOfUsers1764500000000,
  ReplacedVersions1764501000000,
  ReviewedVersions1764501100000,
  ReviewedVersionsIndex1764501100005,
  ReviewedVersionsChecked1764501100010,
  SeenWorkers1764502000100,
  SignInRecords1764502000200,
  DocumentPurges1764503000100,
  NamedReviews1764510000100,
  ApprovedInTheMarketplace1764510000200,
  PurgesOfAll1764520000100,
  PurgesOfBefore1764520000200,
  HostsOfVersions1764530000100,
  RemovalsOfApps1764532000100,
  TalliesThatName1764532000200,
  FewHosts1764540000100,
  FewHostsChecked1764540000110,
  MembersOfVersions1764560000100,
  SharedOutbox1764570000100,
  CapabilitiesOfVersions1764580000100,
];
