// Hides what looks like a secret before strangers read a text: keys and tokens with a known shape, and values that are
// called a password or the like. It only finds the obvious ones. Every pattern is bounded, so that no text takes long.

const mask = '•••';

/** Keys and tokens that can be recognized by their shape. */
const known = new RegExp(
  [
    'sk-[\\w-]{16,}',
    '[sprk]k_[\\w-]{16,}',
    'gh[opsur]_\\w{20,}',
    'github_pat_\\w{20,}',
    'glpat-[\\w-]{16,}',
    'xox[abeoprs]-[\\w-]{10,}',
    'xapp-[\\w-]{10,}',
    'A[KS]IA[0-9A-Z]{16}',
    'AIza[\\w-]{30,}',
    'ya29\\.[\\w-]{20,}',
    'hf_\\w{20,}',
    'npm_\\w{30,}',
    'pypi-[\\w-]{20,}',
    'dop_v1_\\w{20,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*',
    '\\d{8,10}:AA[\\w-]{30,}',
  ]
    .map((pattern) => `(?:${pattern})`)
    .join('|'),
  'g',
);

const name =
  '(?:pass(?:word|wort|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)';
/** Not followed by a type or a variable: code is full of those. */
const plain =
  '(?!(?:string|number|boolean|null|undefined|true|false|none|any|unknown)\\b|process\\.|os\\.|\\$|<|\\{|\\[|\\()';

const rules: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    mask,
  ],
  [known, mask],
  [/\b(Bearer|Basic)[ \t]{1,3}[\w.~+/=-]{8,}/gi, `$1 ${mask}`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}):[^\s@/]{1,200}@/gi, `$1:${mask}@`],
  // password = "…", API_KEY: …, {"token": "…"}, also inside of a quoted text.
  [
    new RegExp(
      `(${name}\\\\?["'\`]?[ \\t]{0,3}(?::|=)[ \\t]{0,3}\\\\?["'\`]?)${plain}[^\\s"'\`,;\\\\]{3,200}`,
      'gi',
    ),
    `$1${mask}`,
  ],
  [/\b(pass(?:word|wort|phrase)(?: \S{1,40}){0,4} (?:is|ist|lautet):? )\S{3,200}/gi, `$1${mask}`],
  // --password …, -p is too common for other things.
  [new RegExp(`(--${name}[ =])${plain}\\S{3,200}`, 'gi'), `$1${mask}`],
];

export function maskSecrets(text: string): string {
  return rules.reduce((masked, [pattern, shown]) => masked.replace(pattern, shown), text);
}
