// Renders Markdown. Support for formulas is loaded with the first one. Nothing is fetched from other servers, so pictures
// from there become links.
import { ObservableValue } from '@parley/client';
import { ExternalLink, ImageOff, Square, SquareCheck } from 'lucide-react';
import { type ComponentProps, use, useDeferredValue, useEffect, useRef, useSyncExternalStore } from 'react';
import { type Components, type PluginConfig, Streamdown } from 'streamdown';
import { t } from '../i18n/translate.ts';
import { classes } from './classes.ts';
import { AnswerBlock, InnerCode } from './code/code-block.tsx';
import { CopyButton } from './copy-button.tsx';
import { OpenPathContext, placeIn } from './open-path.ts';
import { ScrollBox } from './scroll-box.tsx';
import './markdown.css';

export interface MarkdownProps {
  readonly children: string;
  /** More text will follow. */
  readonly isStreaming?: boolean;
}

export function MarkdownView({ children, isStreaming = false }: MarkdownProps) {
  const plugins = usePlugins(children);
  // A lot of text at once is rendered in pieces, so that typing and scrolling stay smooth.
  const text = useDeferredValue(children);
  const isUnfinished = isStreaming || text !== children;
  return (
    <Streamdown
      // Always in blocks, so that finished blocks aren't rendered again when the text is complete.
      mode="streaming"
      parseIncompleteMarkdown={isUnfinished}
      isAnimating={isUnfinished}
      BlockComponent={AnswerBlock}
      components={components}
      plugins={plugins}
      className="answer min-w-0 space-y-3 break-words leading-relaxed"
    >
      {text}
    </Streamdown>
  );
}

const loaded = new ObservableValue<PluginConfig>({});
let isLoading = false;

/** Plugins loaded for one text are used for all. */
function usePlugins(text: string): PluginConfig {
  const hasFormulas = text.includes('$$') || text.includes('\\(');
  useEffect(() => {
    if (hasFormulas) loadMath();
  }, [hasFormulas]);
  return useSyncExternalStore(loaded.subscribe, loaded.snapshot);
}

function loadMath(): void {
  if (isLoading) return;
  isLoading = true;
  Promise.all([import('@streamdown/math'), import('katex/dist/katex.min.css')]).then(
    ([{ math }]) => loaded.set({ math }),
    () => {
      isLoading = false;
    },
  );
}

/** All on one level: answers start at any level, and an outline with missing levels confuses screen readers. */
const heading = (size: string) =>
  function Heading({ children }: ComponentProps<'h3'>) {
    return (
      <h3 dir="auto" className={`mt-5 mb-2 font-semibold first:mt-0 ${size}`}>
        {children}
      </h3>
    );
  };

// The library's type requires every component to accept any property.
const components = {
  h1: heading('text-lg'),
  h2: heading('text-base'),
  h3: heading('text-base'),
  h4: heading('text-sm'),
  h5: heading('text-sm'),
  h6: heading('text-sm'),
  a: Anchor,
  img: Picture,
  ul: (props: ComponentProps<'ul'>) => <List {...props} kind="ul" />,
  ol: (props: ComponentProps<'ol'>) => <List {...props} kind="ol" />,
  input: TaskBox,
  table: Table,
  th: HeadCell,
  td: Cell,
  code: InnerCode,
  inlineCode: InlineCode,
} as unknown as Components;

const inlineLook = 'rounded-md bg-sunken px-1.5 py-0.5 font-mono text-[0.875em]';

/** A path opens its file, if the conversation has files. */
function InlineCode({ children }: ComponentProps<'code'>) {
  const openPath = use(OpenPathContext);
  const place = openPath && typeof children === 'string' ? placeIn(children) : undefined;
  if (!openPath || !place) return <code className={inlineLook}>{children}</code>;
  return (
    <button
      type="button"
      title={t('Open {path}', { path: place.path })}
      onClick={() => openPath(place)}
      className={classes(inlineLook, 'cursor-pointer text-accent hover:underline')}
    >
      {children}
    </button>
  );
}

function Anchor({ href, children }: ComponentProps<'a'>) {
  const openPath = use(OpenPathContext);
  const place = openPath && href !== undefined && !href.startsWith('/') ? placeIn(href) : undefined;
  if (openPath && place) {
    return (
      <button
        type="button"
        title={t('Open {path}', { path: place.path })}
        onClick={() => openPath(place)}
        className="cursor-pointer text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
      >
        {children}
      </button>
    );
  }
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

type ListProps = Pick<ComponentProps<'ol'>, 'children' | 'className' | 'start'> & {
  readonly kind: 'ul' | 'ol';
};

/** The markers are outside, so that all lines of an entry are aligned. */
function List({ kind: Kind, children, className, start }: ListProps) {
  const markers = Kind === 'ul' ? 'list-disc' : 'list-decimal';
  return (
    <Kind
      dir="auto"
      className={classes(markers, 'ps-6 marker:text-faint [&>li]:ps-1', className)}
      {...(Kind === 'ol' && { start })}
    >
      {children}
    </Kind>
  );
}

/** A task in a list: an icon, not a control. It takes up no width, so that all lines of the text begin at the same place. */
function TaskBox({ checked = false }: ComponentProps<'input'>) {
  const Icon = checked ? SquareCheck : Square;
  return (
    <Icon
      size={17}
      role="img"
      aria-label={checked ? t('Done') : t('To do')}
      className={classes(
        'float-start -ms-6 me-[calc(1.5rem-17px)] mt-[0.28em]',
        checked ? 'text-accent' : 'text-faint',
      )}
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
      {t('{picture} from {host}', { picture: alt || t('Picture'), host: URL.parse(src)?.host || src })}
      <ExternalLink size={13} aria-hidden />
    </a>
  );
}

/** A wide table scrolls; its content can be copied into a spreadsheet. */
function Table({ children }: ComponentProps<'table'>) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="group/table relative my-4 rounded-xl border border-line">
      <ScrollBox label={t('Table')} className="rounded-xl">
        <table ref={table} className="w-full text-sm">
          {children}
        </table>
      </ScrollBox>
      <div className="absolute end-1 top-1 rounded-lg bg-raised opacity-0 transition-opacity focus-within:opacity-100 group-hover/table:opacity-100">
        <CopyButton label={t('Copy table')} text={() => asText(table.current)} />
      </div>
    </div>
  );
}

function HeadCell({ children, style }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      dir="auto"
      style={style}
      className="whitespace-nowrap px-4 py-2.5 text-start font-semibold"
    >
      {children}
    </th>
  );
}

function Cell({ children, style }: ComponentProps<'td'>) {
  return (
    <td dir="auto" style={style} className="min-w-24 px-4 py-2.5 align-top">
      {children}
    </td>
  );
}

function asText(table: HTMLTableElement | null): string {
  const rows = [...(table?.rows ?? [])];
  return rows.map(({ cells }) => [...cells].map((cell) => cell.innerText).join('\t')).join('\n');
}
