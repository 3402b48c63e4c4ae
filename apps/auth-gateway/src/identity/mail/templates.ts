import { DEFAULT_TENANT, mayBecomeLink, shortened } from '@platform/contracts';
import { RESET_LINK_LASTS } from '../mail-links/mail-tokens.js';
import { SIGNUP_LINK_LASTS } from '../pending-signups/pending-credentials.js';
import { deviceName } from '../sessions/device-name.js';
import type { EndedCredentials } from './mail.jobs.js';
import type { Mail, MailContent } from './mailer.service.js';
import { firstLineOf, paragraphsOf } from './people-text.js';

export interface Recipient {
  email: string;
  firstName: string | null;
}

/** Whose address may have an account in several tenants. */
export interface AccountRecipient extends Recipient {
  tenantId: string;
}

/** A page of the panel that knows the tenant. The token travels behind `#`, which browsers do not send, so it reaches no log on the way to the page. */
const page = (url: string, tenantId: string, token?: string): string =>
  `${url}${tenantId === DEFAULT_TENANT ? '' : `?tenant=${tenantId}`}${token ? `#token=${token}` : ''}`;

/** Where people of a tenant sign in. */
const signInPage = (panelUrl: string, tenantId: string): string =>
  tenantId === DEFAULT_TENANT ? panelUrl : `${panelUrl}/organisation/${tenantId}`;

/** To one person. */
export const mail = ({ email }: Pick<Recipient, 'email'>, subject: string, content: MailContent): Mail => ({ to: email, subject, content });

/** A name that a mail program would make a link of is left out: strangers choose the names of those who sign up. */
export const greeting = ({ firstName }: Recipient): string => (firstName && !mayBecomeLink(firstName) ? `Hello ${firstName},` : 'Hello,');

export interface SignupMail extends AccountRecipient {
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Whether other signups with the address wait as well. */
  hasRivals: boolean;
}

export const verificationMail = (signup: SignupMail, token: string, panelUrl: string): Mail =>
  mail(signup, 'Confirm your e-mail address', {
    greeting: greeting(signup),
    paragraphs: [
      'Please confirm that this e-mail address is yours. Then you can sign in.',
      `This is about the sign-up of ${moment(signup.createdAt)}, ${origin(signup)}. The link makes the password good that was chosen there and then: use it only if that was you.`,
      ...(signup.hasRivals
        ? [
            'Somebody has signed up with this address more than once. Every sign-up has a mail of its own, and the link asks for the password that was chosen there.',
          ]
        : []),
    ],
    action: { label: 'Confirm my address', url: page(`${panelUrl}/verify-email`, signup.tenantId, token) },
    code: { label: 'Or use this token:', value: token },
    note: `The link works once and for ${SIGNUP_LINK_LASTS}. If you did not sign up, ignore this mail and nothing happens.`,
  });

const moment = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

/** Nothing that the sender of the request could write freely. */
const origin = ({ ipAddress, userAgent }: SignupMail): string =>
  `with ${deviceName(userAgent)} from the network address ${ipAddress ?? 'unknown'}`;

export const severalSignupsMail = (email: string, tenantId: string, panelUrl: string): Mail =>
  mail({ email }, 'Which sign-up is yours?', {
    greeting: 'Hello,',
    paragraphs: [
      'Somebody, probably you, asked for the link of a sign-up again. More than one sign-up with this e-mail address waits, and we cannot tell which is yours.',
      `Use the link of the mail that came when you signed up, or sign up again at ${page(`${panelUrl}/signup`, tenantId)} and use the link of the mail that comes then.`,
    ],
    note: 'If you did not sign up, ignore this mail and nothing happens.',
  });

export const signupRefusedMail = (recipient: AccountRecipient, panelUrl: string): Mail =>
  mail(recipient, 'You already have an account', {
    greeting: greeting(recipient),
    paragraphs: [
      'Somebody, probably you, tried to sign up with this e-mail address. There is an account for it already, and nothing was changed.',
      `Nobody signs up or in there with an e-mail address and a password. Sign in at ${signInPage(panelUrl, recipient.tenantId)} as you do otherwise, or ask who gave you the account.`,
    ],
    note: 'If it was not you, you need do nothing.',
  });

export const resetPasswordMail = (recipient: AccountRecipient, token: string, panelUrl: string): Mail =>
  mail(recipient, 'Choose a new password', {
    greeting: greeting(recipient),
    paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
    action: { label: 'Choose a new password', url: page(`${panelUrl}/reset-password`, recipient.tenantId, token) },
    code: { label: 'Or use this token:', value: token },
    note: `The link works once and for ${RESET_LINK_LASTS}. If you did not ask for it, ignore this mail: your password stays as it is.`,
  });

export const passwordChangedMail = (recipient: AccountRecipient, panelUrl: string, ended?: EndedCredentials): Mail =>
  mail(recipient, 'Your password was changed', {
    greeting: greeting(recipient),
    paragraphs: [
      'The password of your account was changed, and you have been signed out on your other devices.',
      ...(ended ? [afterReset(ended)] : ['Your API keys stay as they are.']),
    ],
    action: { label: 'It was not me', url: page(`${panelUrl}/forgot-password`, recipient.tenantId) },
    note: 'If it was you, you need do nothing. If not, choose a new password now.',
  });

const afterReset = ({ api_keys, terminal_sessions }: EndedCredentials): string =>
  [
    api_keys === null ? 'Your API keys were kept, as you asked.' : `Your API keys have ended (${api_keys}).`,
    terminal_sessions === null
      ? 'The sessions of your command lines were kept, as you asked.'
      : `The sessions of your command lines have ended (${terminal_sessions}).`,
  ].join(' ');

export const accountExistsMail = (recipient: AccountRecipient, panelUrl: string): Mail =>
  mail(recipient, 'You already have an account', {
    greeting: greeting(recipient),
    paragraphs: [
      'Somebody, probably you, tried to sign up with this e-mail address. There is an account for it already, and nothing was changed.',
      `Sign in at ${signInPage(panelUrl, recipient.tenantId)} or ask for a new password there if you have forgotten yours.`,
    ],
    note: 'If it was not you, you need do nothing.',
  });

export interface MailedNotification extends Recipient {
  subject: string | null;
  message: string;
  body: string | null;
  appId: string;
  appName: string | null;
}

/** Longest subject that is made of the message. */
const MAX_SUBJECT_LENGTH = 100;

/** Says in its note which app wrote it, so that no app can pass for the platform. */
export const notificationMail = ({ subject, message, body, appId, appName, ...recipient }: MailedNotification): Mail =>
  mail(recipient, firstLineOf(subject ?? '') || shortened(firstLineOf(message), MAX_SUBJECT_LENGTH), {
    greeting: greeting(recipient),
    paragraphs: [message, ...(body === null || body === message ? [] : [body])].flatMap(paragraphsOf),
    note: `The app ${appName && !mayBecomeLink(appName) ? appName : appId}, which you use, sent you this. If you do not want to hear from it, switch it off or remove it.`,
  });
