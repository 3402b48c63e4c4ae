import Handlebars from 'handlebars';
import { splitLines } from './text-parts.js';
import type { MailContent } from './mailer.service.js';

/** Templates with helpers for texts of several lines, in HTML and in plain text. */
const mails = Handlebars.create();
mails.registerHelper(
  'lines',
  (text: string) => new Handlebars.SafeString(splitLines(text).map(Handlebars.escapeExpression).join('<br>')),
);
mails.registerHelper('plainLines', (text: string) => splitLines(text).join('\n'));

/**
 * Handlebars escapes every value. `dir="auto"`: the first letter of a paragraph sets its direction.
 */
export const html = mails.compile<MailContent>(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font-family:system-ui,sans-serif;color:#1c2430">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<p dir="auto" style="margin-top:0">{{greeting}}</p>
{{#each paragraphs}}<p dir="auto">{{lines this}}</p>{{/each}}
{{#if action}}<p><a href="{{action.url}}" style="display:inline-block;padding:12px 20px;background:#1f4fd8;color:#ffffff;border-radius:6px;text-decoration:none">{{action.label}}</a></p>{{/if}}
{{#if code}}<p>{{code.label}}<br><code style="word-break:break-all">{{code.value}}</code></p>{{/if}}
<p style="color:#5b6675;font-size:14px;margin-bottom:0">{{note}}</p>
</div></body></html>`);

export const text = mails.compile<MailContent>(
  `{{greeting}}

{{#each paragraphs}}{{plainLines this}}

{{/each}}{{#if action}}{{action.label}}:
{{action.url}}

{{/if}}{{#if code}}{{code.label}}
{{code.value}}

{{/if}}{{note}}
`,
  { noEscape: true },
);
