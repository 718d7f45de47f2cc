// The HTML of the page. Script and style are separate files, so the content security policy can forbid inline ones.

type Panel = {
  readonly service: string;
  readonly title: string;
  readonly subtitle: string;
  readonly prompts: readonly string[];
};

const panels: readonly Panel[] = [
  {
    service: 'telegram',
    title: 'Telegram',
    subtitle: 'A private chat with your bot',
    prompts: [
      'Summarize key files in the workspace',
      'Ask me a question',
      'Run a failing command',
      '/status',
      '/help',
    ],
  },
  {
    service: 'discord',
    title: 'Discord',
    subtitle: '#general, in the server “Home”',
    prompts: [
      'Summarize key files in the workspace',
      'Make a plan',
      'Show me some Markdown',
      '/sessions',
      '/help',
    ],
  },
];

/** `writer` is the name of the person who writes here. */
export const pageHtml = (writer: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley in Telegram and Discord: a demo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body data-writer="${escaped(writer)}">
<header>
<h1>Parley in your chats</h1>
<p>This page imitates Telegram and Discord. You write as ${escaped(writer)}, and Parley's bots answer. Nothing leaves this machine.</p>
</header>
<main>
${panels.map(panelHtml).join('\n')}
</main>
<p id="notice" role="status" aria-live="polite"></p>
</body>
</html>
`;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function panelHtml({ service, title, subtitle, prompts }: Panel): string {
  const chips = prompts.map((text) => `<button type="button" class="chip">${text}</button>`).join('\n');
  return `<section class="chat ${service}" data-service="${service}" aria-labelledby="${service}-title">
<div class="top">
<h2 id="${service}-title">${title}</h2>
<p>${subtitle}</p>
</div>
<div class="log" role="log" aria-live="polite" aria-label="Messages in ${title}" tabindex="0">
<p class="empty">No messages yet. Try one of these, or write your own.</p>
<ol></ol>
</div>
<p class="typing" hidden>Parley is typing …</p>
<div class="chips" aria-label="Things to try in ${title}" role="group">
${chips}
</div>
<form>
<label class="visually-hidden" for="${service}-text">Message in ${title}</label>
<textarea id="${service}-text" rows="1" maxlength="2000" placeholder="Message" autocomplete="off"></textarea>
<input type="file" id="${service}-picture" class="visually-hidden" accept="image/png,image/jpeg,image/gif,image/webp">
<label class="attach" for="${service}-picture">Picture<span class="visually-hidden"> for ${title}</span></label>
<button type="submit">Send</button>
</form>
</section>`;
}
