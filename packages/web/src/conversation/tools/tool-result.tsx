// The result of a tool, in the form that fits it.

import type { ToolState } from '@parley/client';
import { type ReactNode, use } from 'react';
import { classes } from '../../ui/classes.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { ToolFactsContext } from '../context.ts';
import { CodeLines } from './code-lines.tsx';
import type { ToolShape } from './describe-tool.ts';
import { languageOf } from './language-of.ts';
import { Output } from './output.tsx';
import { type Json, record, text } from './read.ts';
import { fileLines, foundLines, indentedJson, webMarkdown } from './read-output.ts';
import { Part } from './tool-body.tsx';

export function ResultView({ shape, input, state }: { shape: ToolShape; input: Json; state: ToolState }) {
  const { text: result = '', pictures } = state;
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
