// The script of the page. It builds everything from text nodes, so that no message can become markup.

export const pageScript = String.raw`
const notice = document.querySelector('#notice');
let noticeTimer;

function showNotice(text) {
  notice.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.textContent = ''; }, 5000);
}

async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { text, error } = await response.json();
    if (text || error) showNotice(text || error);
  } catch {
    showNotice('Parley is not responding. Is it still running?');
  }
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function messageElement(service, message) {
  const runs = message.runs.map(({ text, looks }) => element('span', looks.join(' '), text));
  const bubble = element('div', 'bubble', ...runs);
  if (message.isEdited) bubble.append(element('span', 'edited', 'edited'));
  const author = element('span', 'author', message.isOwn ? document.body.dataset.writer : 'Parley');
  const item = element('li', message.isOwn ? 'own' : '', author, bubble);
  for (const row of message.buttons) {
    item.append(element('div', 'row', ...row.map(({ label, data }) => {
      const button = element('button', '', label);
      button.type = 'button';
      button.addEventListener('click', () => post('/press', { service, messageId: message.id, data }));
      return button;
    })));
  }
  return item;
}

class Chat {
  constructor(section) {
    this.service = section.dataset.service;
    this.log = section.querySelector('.log');
    this.list = section.querySelector('ol');
    this.empty = section.querySelector('.empty');
    this.typing = section.querySelector('.typing');
    this.shown = new Map();
    const form = section.querySelector('form');
    const input = section.querySelector('textarea');
    const picker = section.querySelector('input[type=file]');
    picker.addEventListener('change', () => {
      const [file] = picker.files;
      if (file) this.sendPicture(file, input.value);
      input.value = picker.value = '';
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.say(input.value);
      input.value = '';
      input.focus();
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    for (const chip of section.querySelectorAll('.chip'))
      chip.addEventListener('click', () => this.say(chip.textContent));
  }

  say(text) {
    if (text.trim() !== '') post('/say', { service: this.service, text });
  }

  sendPicture(file, text) {
    const reader = new FileReader();
    reader.addEventListener('load', () => post('/say', { service: this.service, text, picture: reader.result }));
    reader.readAsDataURL(file);
  }

  /** Updates only what changed, so that focus stays and screen readers announce only what is new. */
  show({ messages, isTyping }) {
    const isAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 80;
    const wanted = new Set(messages.map(({ id }) => id));
    for (const [id, { item }] of this.shown) {
      if (wanted.has(id)) continue;
      item.remove();
      this.shown.delete(id);
    }
    for (const message of messages) {
      const known = this.shown.get(message.id);
      const looks = JSON.stringify(message);
      if (known && known.looks === looks) continue;
      const item = messageElement(this.service, message);
      if (known) known.item.replaceWith(item);
      else this.list.append(item);
      this.shown.set(message.id, { item, looks });
    }
    this.empty.hidden = messages.length > 0;
    this.typing.hidden = !isTyping;
    if (isAtEnd) this.log.scrollTop = this.log.scrollHeight;
  }
}

const chats = [...document.querySelectorAll('.chat')].map((section) => new Chat(section));
const events = new EventSource('/events');
events.addEventListener('message', ({ data }) => {
  const view = JSON.parse(data);
  for (const chat of chats) chat.show(view[chat.service]);
});
events.addEventListener('error', () => showNotice('Lost the connection to Parley. Reconnecting …'));
`;
