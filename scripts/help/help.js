// Searches the documentation. The index is a script, so that it also works for pages that are opened from disk.
const field = document.querySelector('#q');
const list = document.querySelector('#found');
const count = document.querySelector('#count');
const mostFound = 12;
let selected = -1;
let loading;

document.querySelector('search').hidden = false;
field.addEventListener('focus', load);
field.addEventListener('input', () => load().then(show));
field.addEventListener('keydown', onKey);
field.addEventListener('blur', () => setTimeout(close, 200));
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input')) return;
  event.preventDefault();
  field.focus();
});

function load() {
  loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = 'search-index.js';
    script.addEventListener('load', resolve);
    document.head.append(script);
  });
  return loading;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : find(words);
  selected = -1;
  list.replaceChildren(...found.map((entry, at) => item(entry, at, words)));
  list.hidden = found.length === 0;
  field.setAttribute('aria-expanded', String(found.length > 0));
  field.removeAttribute('aria-activedescendant');
  count.textContent =
    words.length === 0 ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`;
}

/** Every word must be in the section or its titles. Titles count more; decisions and the changelog count less. */
function find(words) {
  return globalThis.helpIndex
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ entry }) => entry);
}

function scoreOf([page, , pageTitle, title, text], words) {
  const [inPage, inTitle, inText] = [pageTitle, title, text].map((part) => part.toLowerCase());
  let score = 0;
  for (const word of words) {
    const points =
      (inTitle.includes(word) ? 8 : 0) + (inPage.includes(word) ? 4 : 0) + (inText.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    score += points;
  }
  return /^(decision|changelog)/.test(page) ? score / 10 : score;
}

function item([page, id, pageTitle, title, text], at, words) {
  const li = document.createElement('li');
  li.id = `found-${at}`;
  li.setAttribute('role', 'option');
  li.dataset.href = `${page}.html${id ? `#${id}` : ''}`;
  const name = document.createElement('b');
  name.textContent = title === pageTitle ? title : `${pageTitle}: ${title}`;
  const around = document.createElement('span');
  around.textContent = snippet(text, words);
  li.append(name, around);
  li.addEventListener('mousedown', () => open(li));
  return li;
}

function snippet(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  const start = Math.max(0, at - 50);
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 140)} …`;
}

function onKey(event) {
  if (event.key === 'Escape') return close();
  const items = list.hidden ? [] : [...list.children];
  if (items.length === 0) return undefined;
  if (event.key === 'Enter') return open(items[Math.max(0, selected)]);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return undefined;
  event.preventDefault();
  selected = (selected + step + items.length) % items.length;
  for (const [at, one] of items.entries()) one.setAttribute('aria-selected', String(at === selected));
  items[selected].scrollIntoView({ block: 'nearest' });
  field.setAttribute('aria-activedescendant', items[selected].id);
  return undefined;
}

function open(li) {
  close();
  location.href = li.dataset.href;
}

function close() {
  list.hidden = true;
  field.setAttribute('aria-expanded', 'false');
}
