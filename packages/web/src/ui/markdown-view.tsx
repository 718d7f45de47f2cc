// Draws Markdown. Highlighting and formulas are loaded when a text has code or formulas; nothing is fetched from
// other servers, so that pictures from there are links.
import { ExternalLink, ImageOff } from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { type Components, type PluginConfig, Streamdown } from 'streamdown';
import './markdown.css';

export interface MarkdownProps {
  readonly children: string;
  /** More of it is on its way. */
  readonly isStreaming?: boolean;
}

export function MarkdownView({ children, isStreaming = false }: MarkdownProps) {
  const plugins = usePlugins(children);
  return (
    <Streamdown
      // In blocks to the end and after it: what was drawn once is not drawn again when the last word is there.
      mode="streaming"
      parseIncompleteMarkdown={isStreaming}
      isAnimating={isStreaming}
      components={components}
      plugins={plugins}
      controls={controls}
      lineNumbers={false}
      className="min-w-0 space-y-3 break-words leading-relaxed"
    >
      {children}
    </Streamdown>
  );
}

const controls = {
  code: { copy: true, download: false },
  table: { copy: true, download: false, fullscreen: false },
};

let loaded: PluginConfig = {};
const watchers = new Set<() => void>();
const asked = new Set<string>();

/** All that was loaded so far, also for texts that did not ask for it. */
function usePlugins(text: string): PluginConfig {
  const [plugins, setPlugins] = useState(loaded);
  const hasCode = text.includes('```') || text.includes('~~~');
  const hasFormulas = text.includes('$$') || text.includes('\\(');
  useEffect(() => {
    const update = () => setPlugins(loaded);
    watchers.add(update);
    update();
    if (hasCode) load('code', async () => ({ code: (await import('@streamdown/code')).code }));
    if (hasFormulas) load('math', loadMath);
    return () => {
      watchers.delete(update);
    };
  }, [hasCode, hasFormulas]);
  return plugins;
}

async function loadMath(): Promise<PluginConfig> {
  const [{ math }] = await Promise.all([import('@streamdown/math'), import('katex/dist/katex.min.css')]);
  return { math };
}

function load(name: string, get: () => Promise<PluginConfig>): void {
  if (asked.has(name)) return;
  asked.add(name);
  get().then(
    (plugin) => {
      loaded = { ...loaded, ...plugin };
      for (const watcher of watchers) watcher();
    },
    () => asked.delete(name),
  );
}

/** All of one level: answers begin at any level, and an outline without its first levels confuses screen readers. */
const heading = (size: string) =>
  function Heading({ children }: ComponentProps<'h3'>) {
    return <h3 className={`mt-5 mb-2 font-semibold first:mt-0 ${size}`}>{children}</h3>;
  };

// The library's type asks each part to take any property at all.
const components = {
  h1: heading('text-lg'),
  h2: heading('text-base'),
  h3: heading('text-base'),
  h4: heading('text-sm'),
  h5: heading('text-sm'),
  h6: heading('text-sm'),
  a: Anchor,
  img: Picture,
  input: TaskBox,
  inlineCode: ({ children }: ComponentProps<'code'>) => (
    <code className="rounded-md bg-sunken px-1.5 py-0.5 font-mono text-[0.875em]">{children}</code>
  ),
} as unknown as Components;

function Anchor({ href, children }: ComponentProps<'a'>) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
    </a>
  );
}

/** Of a task list: a mark, not a control. */
function TaskBox({ checked = false }: ComponentProps<'input'>) {
  return (
    <input
      type="checkbox"
      disabled
      checked={checked}
      aria-label={checked ? 'Done' : 'Open'}
      className="mr-1.5 translate-y-px accent-(--accent)"
    />
  );
}

function Picture({ src, alt }: ComponentProps<'img'>) {
  if (typeof src !== 'string') return <span className="text-faint">[{alt}]</span>;
  if (/^(data:image\/|blob:)/.test(src))
    return <img src={src} alt={alt ?? ''} className="max-h-96 rounded-lg" />;
  return (
    <a
      href={src}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex items-center gap-2 rounded-lg border border-line bg-sunken px-2.5 py-1.5 text-soft text-sm hover:text-ink"
    >
      <ImageOff size={15} aria-hidden />
      {alt || 'Picture'} from {hostOf(src)}
      <ExternalLink size={13} aria-hidden />
    </a>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || 'elsewhere';
}
