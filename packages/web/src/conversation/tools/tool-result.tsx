// The result of a tool, in the form that fits it.

import type { ToolState } from '@parley/client';
import { type ReactNode, use } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { HighlightedText, useHighlighting } from '../../ui/code/highlighted-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ToolFactsContext } from '../context.ts';
import { useOpenPart } from '../items/open-parts.tsx';
import type { ToolShape } from './describe-tool.ts';
import { languageOf } from './language-of.ts';
import { MoreLines } from './more-lines.tsx';
import { Output } from './output.tsx';
import { type Json, record, text } from './read.ts';
import { fileLines, foundLines, indentedJson, type NumberedLine, webMarkdown } from './read-output.ts';
import { Part } from './tool-body.tsx';
import type { ToolStatus } from './tool-status.ts';

export function ResultView({
  shape,
  input,
  state,
  status,
}: {
  shape: ToolShape;
  input: Json;
  state: ToolState;
  status: ToolStatus;
}) {
  const { text: result = '', pictures } = state;
  // The result only tells the model to stop.
  if (status === 'stopped') return null;
  if (status === 'denied') {
    // With an old version of the program, the reason is only in the result.
    const reason = state.denied ? state.reason : result;
    return reason === undefined ? null : (
      <Below>
        <p className="whitespace-pre-wrap break-words px-3 py-2.5 text-soft text-sm">{reason}</p>
      </Below>
    );
  }
  if (state.outcome === 'failed') {
    return (
      <Below>
        <Output text={result} pictures={pictures} isError />
      </Below>
    );
  }
  switch (shape) {
    // The input already shows everything.
    case 'edit':
    case 'todos':
    case 'plan':
      return null;
    case 'agent':
      return result.startsWith('Async agent launched') ? null : (
        <Below>
          <Words>{result}</Words>
        </Below>
      );
    case 'read':
      return <FileResult path={text(input['file_path']) ?? ''} state={state} />;
    case 'search':
      return <SearchResult state={state} />;
    case 'web':
      return (
        <Below isFramed={text(input['prompt']) !== undefined}>
          <Words>{webMarkdown(result)}</Words>
        </Below>
      );
    case 'question':
      return <Answers state={state} />;
    case 'other':
      return (
        <Below>
          <Output text={indentedJson(result)} pictures={pictures} />
        </Below>
      );
    case 'command':
      return (
        <Below>
          <Output text={result} pictures={pictures} />
        </Below>
      );
    default:
      return shape satisfies never;
  }
}

/** Separated from what is above it, if anything is. */
function Below({ isFramed = true, children }: { isFramed?: boolean; children: ReactNode }) {
  return <div className={classes(isFramed && 'border-line border-t')}>{children}</div>;
}

function Words({ children }: { children: string }) {
  return (
    <div className="text-sm">
      <Part>
        <Markdown>{children}</Markdown>
      </Part>
    </div>
  );
}

function FileResult({ path, state: { text: result = '', pictures } }: { path: string; state: ToolState }) {
  const lines = fileLines(result);
  if (!lines || pictures.length > 0) return <Output text={result} pictures={pictures} />;
  return <CodeLines lines={lines} language={languageOf(path)} />;
}

function SearchResult({ state: { text: result = '', pictures } }: { state: ToolState }) {
  const { workingDir = '' } = use(ToolFactsContext);
  const near = workingDir === '' ? result : result.replaceAll(`${workingDir}/`, '');
  const found = foundLines(near);
  if (!found) return <Output text={near} pictures={pictures} />;
  return (
    <ul className="divide-y divide-line">
      {found.map(({ path, lines }) => (
        <li key={path}>
          <p className="break-all px-3 pt-2 font-medium font-mono text-xs">{path}</p>
          <CodeLines lines={lines} language={languageOf(path)} path={path} />
        </li>
      ))}
    </ul>
  );
}

function Answers({ state: { text: result = '', details } }: { state: ToolState }) {
  const answers = Object.entries(record(details?.['answers']));
  if (answers.length === 0) return <Output text={result} />;
  return (
    <dl className="grid gap-2 px-3 py-2.5 text-sm">
      {answers.map(([question, answer]) => (
        <div key={question}>
          <dt className="text-soft">{question}</dt>
          <dd className="font-medium">{Array.isArray(answer) ? answer.join(', ') : String(answer)}</dd>
        </div>
      ))}
    </dl>
  );
}

const shownLines = 20;

/** Numbered lines of a file: the first ones right away, the rest on demand. */
function CodeLines({
  lines,
  language,
  path = '',
}: {
  lines: readonly NumberedLine[];
  language: string;
  /** Distinguishes it from others in the same result. */
  path?: string;
}) {
  const [isWhole, setWhole] = useOpenPart(`lines ${path}`);
  const hidden = isWhole ? 0 : lines.length - shownLines;
  const shown = hidden > 0 ? lines.slice(0, shownLines) : lines;
  const highlighted = useHighlighting(language, shown.map(({ text }) => text).join('\n'), true);
  return (
    <>
      <ScrollBox label={t('Lines')} className="max-h-[60vh] py-2 font-mono text-xs leading-relaxed">
        <div className="w-max min-w-full">
          {shown.map(({ number, text }, at) => (
            <div key={at} className="flex px-3">
              <span
                aria-hidden
                className="min-w-9 shrink-0 select-none pr-3 text-right text-faint tabular-nums"
              >
                {number}
              </span>
              <code className="highlighted whitespace-pre">
                <HighlightedText text={text || ' '} highlighted={highlighted[at]} />
              </code>
            </div>
          ))}
        </div>
      </ScrollBox>
      <MoreLines hidden={hidden} className="m-1 mt-0" onShow={() => setWhole(true)} />
    </>
  );
}
