const REFRESH_MS = 3000;

const list = document.getElementById('list');
const article = document.getElementById('message');
const empty = document.getElementById('empty');
const clear = document.getElementById('clear');
const status = document.getElementById('status');

/** JSON of the shown mails, to detect changes. */
let known = '';
let messages = [];
let selected;

/** Creates an element. Text of a mail is inserted as text, never as markup. */
function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function time(message) {
  return element('time', { dateTime: message.received_at }, new Date(message.received_at).toLocaleString());
}

function show(message) {
  selected = message.id;
  const facts = [
    ['From', message.from],
    ['To', message.to],
    ['Received', time(message)],
  ];
  article.replaceChildren(
    element('h2', {}, message.subject || '(no subject)'),
    element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
  );
  if (message.html) {
    const frame = element('iframe', { title: 'The mail as HTML' });
    frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    frame.src = `/messages/${message.id}/html`;
    article.append(element('h3', {}, 'HTML'), frame);
  }
  if (message.text) article.append(element('h3', {}, 'Text'), element('pre', {}, ...linked(message.text)));
  markSelected();
}

/** Splits the text into pieces; web addresses become links that open in a new tab. */
function linked(text) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return element('a', { href: piece, target: '_blank', rel: 'noopener noreferrer' }, piece);
  });
}

function markSelected() {
  for (const button of list.querySelectorAll('button'))
    button.setAttribute('aria-current', String(button.dataset.id === selected));
}

function showList() {
  const focused = document.activeElement?.dataset?.id;
  const entries = messages.map((message) => {
    const button = element(
      'button',
      { type: 'button', onclick: () => (show(message), article.focus()) },
      element('strong', {}, message.subject || '(no subject)'),
      element('span', {}, message.to),
      time(message),
    );
    button.dataset.id = message.id;
    return element('li', {}, button);
  });
  list.replaceChildren(...entries);
  if (focused) list.querySelector(`[data-id="${focused}"]`)?.focus();
  empty.hidden = messages.length > 0;
  clear.hidden = messages.length === 0;
  if (selected && !messages.some(({ id }) => id === selected)) {
    selected = undefined;
    article.replaceChildren(element('p', { className: 'hint' }, 'Choose a mail to read it.'));
  }
  markSelected();
}

function report(text) {
  if (status.textContent !== text) status.textContent = text;
}

async function refresh() {
  try {
    const response = await fetch('/api/messages');
    if (!response.ok) throw new Error(String(response.status));
    const text = await response.text();
    if (text !== known) {
      known = text;
      messages = JSON.parse(text);
      showList();
    }
    report(messages.length === 1 ? '1 mail' : `${messages.length} mails`);
  } catch {
    report('The mailbox does not answer. Trying again…');
  }
}

clear.addEventListener('click', async () => {
  await fetch('/api/messages', { method: 'DELETE' });
  await refresh();
});

async function refreshForever() {
  await refresh();
  setTimeout(refreshForever, REFRESH_MS);
}

await refreshForever();
