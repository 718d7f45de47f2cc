// What a tool gave back, in the form that fits it.
import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { useTranscript } from '../items/transcript-context.ts';
import type { ToolResult } from '../model/items.ts';
import { type Json, record, text } from '../model/read.ts';
import { CodeLines } from './code-lines.tsx';
import type { ToolShape } from './describe-tool.ts';
import { languageOf } from './language-of.ts';
import { Output } from './output.tsx';
import { fileLines, foundLines, indentedJson, webMarkdown } from './read-output.ts';
import { Part } from './tool-body.tsx';

export function ResultView({ shape, input, result }: { shape: ToolShape; input: Json; result: ToolResult }) {
  if (result.isError) {
    return (
      <Below>
        <Output result={result} />
      </Below>
    );
  }
  switch (shape) {
    // The change itself says it all.
    case 'edit':
    case 'todos':
    case 'plan':
      return null;
    case 'agent':
      return result.text.startsWith('Async agent launched') ? null : (
        <Below>
          <Words>{result.text}</Words>
        </Below>
      );
    case 'read':
      return <FileResult path={text(input['file_path']) ?? ''} result={result} />;
    case 'search':
      return <SearchResult result={result} />;
    case 'web':
      return (
        <Below isFramed={text(input['prompt']) !== undefined}>
          <Words>{webMarkdown(result.text)}</Words>
        </Below>
      );
    case 'question':
      return <Answers result={result} />;
    case 'other':
      return (
        <Below>
          <Output result={{ ...result, text: indentedJson(result.text) }} />
        </Below>
      );
    case 'command':
      return (
        <Below>
          <Output result={result} />
        </Below>
      );
    default:
      return shape satisfies never;
  }
}

/** Apart from what stands above it, where something does. */
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

function FileResult({ path, result }: { path: string; result: ToolResult }) {
  const lines = fileLines(result.text);
  if (!lines || result.pictures.length > 0) return <Output result={result} />;
  return <CodeLines lines={lines} language={languageOf(path)} />;
}

function SearchResult({ result }: { result: ToolResult }) {
  const { workingDir = '' } = useTranscript().facts;
  const near = workingDir === '' ? result.text : result.text.replaceAll(`${workingDir}/`, '');
  const found = foundLines(near);
  if (!found) return <Output result={{ ...result, text: near }} />;
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

function Answers({ result }: { result: ToolResult }) {
  const answers = Object.entries(record(result.details['answers']));
  if (answers.length === 0) return <Output result={result} />;
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
