import { DEFAULT_TENANT, mayBecomeLink, shortenText } from '@platform/contracts';
import { RESET_LINK_LIFETIME } from '../mail-links/mail-tokens.js';
import { SIGNUP_LINK_LIFETIME } from '../pending-signups/pending-credentials.js';
import { describeDevice } from '../sessions/device-name.js';
import type { EndedCredentials } from './mail.jobs.js';
import type { Mail, MailContent } from './mailer.service.js';
import { getFirstLine, splitParagraphs } from './text-parts.js';

export interface Recipient {
  email: string;
  firstName: string | null;
}

/** Recipient with a tenant: an address can have accounts in several tenants. */
export interface AccountRecipient extends Recipient {
  tenantId: string;
}

/**
 * Makes the address of a page of the panel for a tenant. The token is in the fragment (`#`), which
 * browsers do not send, so it appears in no log on the way.
 */
const page = (url: string, tenantId: string, token?: string): string =>
  `${url}${tenantId === DEFAULT_TENANT ? '' : `?tenant=${tenantId}`}${token ? `#token=${token}` : ''}`;

/** Makes the address of the login page of a tenant. */
const signInPage = (panelUrl: string, tenantId: string): string =>
  tenantId === DEFAULT_TENANT ? panelUrl : `${panelUrl}/organisation/${tenantId}`;

export const mail = ({ email }: Pick<Recipient, 'email'>, subject: string, content: MailContent): Mail => ({
  to: email,
  subject,
  content,
});

/**
 * Returns the greeting of a mail, with the first name if it is known. The name is left out if a
 * mail program could turn it into a link: strangers can choose the names in a signup.
 */
export const greeting = ({ firstName }: Recipient): string =>
  firstName && !mayBecomeLink(firstName) ? `Hello ${firstName},` : 'Hello,';

export interface SignupMail extends AccountRecipient {
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** True if other signups with the address wait for confirmation, too. */
  hasOtherSignups: boolean;
}

export const verificationMail = (signup: SignupMail, token: string, panelUrl: string): Mail =>
  mail(signup, 'Confirm your e-mail address', {
    greeting: greeting(signup),
    paragraphs: [
      'Please confirm that this e-mail address is yours. Then you can sign in.',
      `The sign-up was made on ${moment(signup.createdAt)}, ${origin(signup)}. The link activates the password that was chosen then. Use it only if this was you.`,
      ...(signup.hasOtherSignups
        ? [
            'There are several sign-ups with this address. Each one has its own mail, and its link asks for the password that was chosen in that sign-up.',
          ]
        : []),
    ],
    action: { label: 'Confirm my address', url: page(`${panelUrl}/verify-email`, signup.tenantId, token) },
    code: { label: 'Or use this token:', value: token },
    note: `The link works once and for ${SIGNUP_LINK_LIFETIME}. If you did not sign up, ignore this mail and nothing happens.`,
  });

const moment = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

/**
 * Describes the origin of a signup: the program and the network address. It contains no text that
 * the sender of the request can choose freely.
 */
const origin = ({ ipAddress, userAgent }: SignupMail): string =>
  `with ${describeDevice(userAgent)} from the network address ${ipAddress ?? 'unknown'}`;

export const severalSignupsMail = (email: string, tenantId: string, panelUrl: string): Mail =>
  mail({ email }, 'Which sign-up is yours?', {
    greeting: 'Hello,',
    paragraphs: [
      'Somebody, probably you, asked for a new confirmation link. Several sign-ups with this e-mail address wait for confirmation, and we cannot know which one is yours.',
      `Use the link in the mail that you received after your sign-up, or sign up again at ${page(`${panelUrl}/signup`, tenantId)} and use the link in the new mail.`,
    ],
    note: 'If you did not sign up, ignore this mail and nothing happens.',
  });

export const signupRefusedMail = (recipient: AccountRecipient, panelUrl: string): Mail =>
  mail(recipient, 'You already have an account', {
    greeting: greeting(recipient),
    paragraphs: [
      'Somebody, probably you, tried to sign up with this e-mail address. There is an account for it already, and nothing was changed.',
      `Your organisation does not allow login with an e-mail address and a password. Sign in at ${signInPage(panelUrl, recipient.tenantId)} as usual, or ask the person who gave you the account.`,
    ],
    note: 'If this was not you, you do not need to do anything.',
  });

export const resetPasswordMail = (recipient: AccountRecipient, token: string, panelUrl: string): Mail =>
  mail(recipient, 'Choose a new password', {
    greeting: greeting(recipient),
    paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
    action: { label: 'Choose a new password', url: page(`${panelUrl}/reset-password`, recipient.tenantId, token) },
    code: { label: 'Or use this token:', value: token },
    note: `The link works once and for ${RESET_LINK_LIFETIME}. If you did not ask for it, ignore this mail: your password stays as it is.`,
  });

export const passwordChangedMail = (recipient: AccountRecipient, panelUrl: string, ended?: EndedCredentials): Mail =>
  mail(recipient, 'Your password was changed', {
    greeting: greeting(recipient),
    paragraphs: [
      'The password of your account was changed, and you have been signed out on your other devices.',
      ...(ended ? [afterReset(ended)] : ['Your API keys stay as they are.']),
    ],
    action: { label: 'It was not me', url: page(`${panelUrl}/forgot-password`, recipient.tenantId) },
    note: 'If this was you, you do not need to do anything. If not, choose a new password now.',
  });

const afterReset = ({ api_keys, terminal_sessions }: EndedCredentials): string =>
  [
    api_keys === null ? 'Your API keys were kept, as you asked.' : `Your API keys were deleted (${api_keys}).`,
    terminal_sessions === null
      ? 'Your command-line sessions were kept, as you asked.'
      : `Your command-line sessions were ended (${terminal_sessions}).`,
  ].join(' ');

export const accountExistsMail = (recipient: AccountRecipient, panelUrl: string): Mail =>
  mail(recipient, 'You already have an account', {
    greeting: greeting(recipient),
    paragraphs: [
      'Somebody, probably you, tried to sign up with this e-mail address. There is an account for it already, and nothing was changed.',
      `Sign in at ${signInPage(panelUrl, recipient.tenantId)} or ask for a new password there if you have forgotten yours.`,
    ],
    note: 'If this was not you, you do not need to do anything.',
  });

export interface MailedNotification extends Recipient {
  subject: string | null;
  message: string;
  body: string | null;
  appId: string;
  appName: string | null;
}

/** Maximum length of a subject that is made of the message. */
const MAX_SUBJECT_LENGTH = 100;

/**
 * Makes the mail for a notification of an app. Without a subject, the mail has the first line of
 * the message, shortened to 100 characters. The note names the app, so that it cannot pretend to be
 * the platform.
 */
export const notificationMail = ({ subject, message, body, appId, appName, ...recipient }: MailedNotification): Mail =>
  mail(recipient, getFirstLine(subject ?? '') || shortenText(getFirstLine(message), MAX_SUBJECT_LENGTH), {
    greeting: greeting(recipient),
    paragraphs: [message, ...(body === null || body === message ? [] : [body])].flatMap(splitParagraphs),
    note: `The app ${appName && !mayBecomeLink(appName) ? appName : appId}, which you use, sent you this mail. If you do not want its mails, mute the app in your settings or remove it.`,
  });
