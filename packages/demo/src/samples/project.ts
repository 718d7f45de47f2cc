// A small made-up project for Claude Code to work on in the demo: a reading list with a server, a page, and a failing
// check, so that there is something to find, explain and fix.
export const sampleProjectName = 'reading-list';

export const sampleProject: Readonly<Record<string, string>> = {
  'README.md': `# Reading list

A tiny web app that tracks a household's books.

- \`src/backend\` stores the books and answers requests
- \`src/frontend\` shows them in the browser
- \`scripts/check.mjs\` checks that the totals add up: \`node scripts/check.mjs\`

The check is failing, and nobody knows why yet.
`,
  'package.json': `{
  "name": "reading-list",
  "version": "0.3.0",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node src/backend/server.mjs",
    "check": "node scripts/check.mjs"
  }
}
`,
  'src/backend/books.mjs': `// The household's books, and how many pages of each have been read.
export const books = [
  { title: 'The Left Hand of Darkness', author: 'Ursula K. Le Guin', pages: 304, read: 120 },
  { title: 'Braiding Sweetgrass', author: 'Robin Wall Kimmerer', pages: 390, read: 0 },
  { title: 'The Soul of a New Machine', author: 'Tracy Kidder', pages: 293, read: 293 },
];

// TODO: a finished book should no longer count as open
export function openBooks() {
  return books.filter((book) => book.read <= book.pages);
}

export function pagesLeft() {
  return openBooks().reduce((sum, book) => sum + book.pages - book.read, 0);
}
`,
  'src/backend/server.mjs': `import { createServer } from 'node:http';
import { books, openBooks, pagesLeft } from './books.mjs';

const routes = {
  '/api/books': () => books,
  '/api/summary': () => ({ open: openBooks().length, pagesLeft: pagesLeft() }),
};

createServer((request, response) => {
  const answer = routes[request.url];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ? answer() : { error: 'Not found.' }));
}).listen(4800, '127.0.0.1');
`,
  'src/frontend/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Reading list</title>
    <script type="module" src="app.mjs"></script>
  </head>
  <body>
    <h1>Reading list</h1>
    <ul id="books"></ul>
    <p id="summary"></p>
  </body>
</html>
`,
  'src/frontend/app.mjs': `import { progress } from './progress.mjs';

const books = await (await fetch('/api/books')).json();
const list = document.querySelector('#books');
for (const book of books) {
  const item = document.createElement('li');
  item.textContent = \`\${book.title} by \${book.author}: \${progress(book)}\`;
  list.append(item);
}
`,
  'src/frontend/progress.mjs': `/** How much of a book has been read, in words. */
export function progress({ pages, read }) {
  if (read === 0) return 'not started';
  return read === pages ? 'finished' : \`\${Math.round((100 * read) / pages)} %\`;
}
`,
  'scripts/check.mjs': `import { openBooks } from '../src/backend/books.mjs';

const finished = openBooks().filter((book) => book.read === book.pages);
if (finished.length > 0) {
  console.error(\`Finished, but still listed as open: \${finished.map((book) => book.title).join(', ')}\`);
  process.exit(1);
}
console.log('Everything looks good.');
`,
};
