import type { Mail, MailContent } from './mailer.service.js';

export interface Recipient {
  email: string;
  firstName: string | null;
}

const mail = ({ email }: Recipient, subject: string, content: MailContent): Mail => ({ to: email, subject, content });

const greeting = ({ firstName }: Recipient): string => (firstName ? `Hello ${firstName},` : 'Hello,');

/** The token travels behind `#`, which browsers do not send, so it reaches no log on the way to the page. */
export const verificationMail = (recipient: Recipient, token: string, panelUrl: string): Mail =>
  mail(recipient, 'Confirm your e-mail address', {
    greeting: greeting(recipient),
    paragraphs: ['Please confirm that this e-mail address is yours. Then you can sign in.'],
    action: { label: 'Confirm my address', url: `${panelUrl}/verify-email#token=${token}` },
    code: { label: 'Or use this token:', value: token },
    note: 'The link works once and for 24 hours. If you did not sign up, ignore this mail and nothing happens.',
  });

export const resetPasswordMail = (recipient: Recipient, token: string, panelUrl: string): Mail =>
  mail(recipient, 'Choose a new password', {
    greeting: greeting(recipient),
    paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
    action: { label: 'Choose a new password', url: `${panelUrl}/reset-password#token=${token}` },
    code: { label: 'Or use this token:', value: token },
    note: 'The link works once and for 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.',
  });

export const passwordChangedMail = (recipient: Recipient, panelUrl: string): Mail =>
  mail(recipient, 'Your password was changed', {
    greeting: greeting(recipient),
    paragraphs: ['The password of your account was changed, and you have been signed out on your other devices.'],
    action: { label: 'It was not me', url: `${panelUrl}/forgot-password` },
    note: 'If it was you, you need do nothing. If not, choose a new password now.',
  });

export const accountExistsMail = (recipient: Recipient, panelUrl: string): Mail =>
  mail(recipient, 'You already have an account', {
    greeting: greeting(recipient),
    paragraphs: [
      'Somebody, probably you, tried to sign up with this e-mail address. There is an account for it already, and nothing was changed.',
      `Sign in at ${panelUrl} or ask for a new password there if you have forgotten yours.`,
    ],
    note: 'If it was not you, you need do nothing.',
  });

export interface MailedNotification extends Recipient {
  subject: string | null;
  message: string;
  body: string | null;
  appName: string;
}

const MAX_SUBJECT_LENGTH = 100;

/** Says in its note which app wrote it, so that no app can pass for the platform. */
export const notificationMail = ({ subject, message, body, appName, ...recipient }: MailedNotification): Mail =>
  mail(recipient, subject ?? (message.split('\n')[0] ?? '').slice(0, MAX_SUBJECT_LENGTH), {
    greeting: greeting(recipient),
    paragraphs: [message, body ?? ''].flatMap((text) => text.split(/\n{2,}/)).filter(Boolean),
    note: `The app ${appName}, which you use, sent you this. If you do not want to hear from it, switch it off or remove it.`,
  });
