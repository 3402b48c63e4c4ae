import { sha256 } from '@platform/platform';

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1rem; box-sizing: border-box; }
  main { max-width: 26rem; }
  button { padding: 0.75rem 1.25rem; font: inherit; cursor: pointer; }
`;

/** The token stands behind # and leaves the address bar at once. Only the button uses it, since mail scanners open links. */
const SCRIPT = `
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  history.replaceState(null, '', location.pathname);
  const button = document.querySelector('button');
  const message = document.querySelector('[role=status]');
  const say = (text) => { message.textContent = text; };
  if (token) button.hidden = false;
  else say('Open this page with the link of your mail.');
  button.addEventListener('click', async () => {
    button.disabled = true;
    say('One moment…');
    try {
      const response = await fetch('/v1/auth/verify-email', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      const body = await response.json();
      button.hidden = response.ok || response.status === 400;
      say(response.ok ? 'Your address is confirmed. You can sign in now.' : typeof body.detail === 'string' ? body.detail : 'This link is not valid.');
    } catch {
      say('The platform cannot be reached. Try again in a moment.');
    }
    button.disabled = false;
  });
`;

const allowed = (inline: string): string => `'sha256-${sha256(inline).toString('base64')}'`;

/** Where the link of a verification mail leads while there is no panel: one page that confirms the address at the push of a button. */
export const verifyEmailPage = {
  contentSecurityPolicy: `default-src 'none'; script-src ${allowed(SCRIPT)}; style-src ${allowed(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Confirm your e-mail address</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Confirm your e-mail address</h1>
<p role="status"></p>
<button type="button" hidden>Confirm my address</button>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`,
};
