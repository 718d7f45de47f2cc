// One file: its lines, a preview of what it shows, or a field to edit it.
import type { FilePart } from '@parley/protocol';
import { Download, Eye, FileCode2, FileX2, Pencil } from 'lucide-react';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { bytes } from '../ui/amounts.ts';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { Editor } from './editor.tsx';
import { FileBar } from './file-bar.tsx';
import type { FilesOf } from './files-of.ts';
import { TextView } from './text-view.tsx';
import { nameOf } from './tree-model.ts';
import { useFile } from './use-file.ts';
import { visibleName } from './visible-name.ts';

/** Larger files can't be edited here. */
const maxEdited = 1024 * 1024;

export function FileView({
  place,
  path,
  line,
  onBack,
}: {
  place: FilesOf;
  path: string;
  line: number | undefined;
  onBack: () => void;
}) {
  const { first, text, more, error, refetch } = useFile(place, path);
  const [mode, setMode] = useState<'preview' | 'source' | 'edit'>(line === undefined ? 'preview' : 'source');
  const isText = first?.kind === 'text';
  const isMarkdown = isText && /\.(md|markdown)$/i.test(path);
  const isEditable = place.mayWrite && isText && first.size <= maxEdited;
  return (
    <section aria-label={visibleName(nameOf(path))} className="flex min-h-0 flex-1 flex-col">
      <FileBar path={path} detail={first && bytes(first.size)} back={t('All files')} onBack={onBack}>
        {isMarkdown && mode !== 'edit' && (
          <IconButton
            label={mode === 'preview' ? t('Show source') : t('Show preview')}
            onClick={() => setMode(mode === 'preview' ? 'source' : 'preview')}
          >
            {mode === 'preview' ? <FileCode2 size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          </IconButton>
        )}
        {isEditable && mode !== 'edit' && (
          <IconButton
            label={t('Edit')}
            disabled={more !== undefined && text === ''}
            onClick={() => setMode('edit')}
          >
            <Pencil size={16} aria-hidden />
          </IconButton>
        )}
        {isText && mode !== 'edit' && <CopyButton label={t('Copy')} text={() => text} />}
        <a
          href={place.files.address(path)}
          download={nameOf(path)}
          aria-label={t('Download')}
          title={t('Download')}
          className="grid size-9 place-items-center rounded-lg text-soft hover:bg-sunken hover:text-ink"
        >
          <Download size={16} aria-hidden />
        </a>
      </FileBar>
      {error ? (
        <div className="p-4">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : !first ? (
        <div role="status" aria-label={t('Opening the file')} className="grid gap-2 p-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : mode === 'edit' && first.kind === 'text' ? (
        <Editor place={place} file={first} onClose={() => setMode('preview')} />
      ) : (
        <Content
          place={place}
          file={first}
          text={text}
          line={line}
          more={more}
          isRendered={isMarkdown && mode === 'preview'}
        />
      )}
    </section>
  );
}

function Content({
  place,
  file,
  text,
  line,
  more,
  isRendered,
}: {
  place: FilesOf;
  file: FilePart;
  text: string;
  line: number | undefined;
  more: (() => void) | undefined;
  isRendered: boolean;
}) {
  if (file.kind === 'image') {
    return (
      <div className="grid min-h-0 flex-1 place-items-center overflow-auto bg-sunken p-4">
        <img
          src={place.files.address(file.path)}
          alt={visibleName(nameOf(file.path))}
          className="max-h-full max-w-full object-contain"
        />
      </div>
    );
  }
  if (file.kind === 'binary') {
    return (
      <Empty icon={<FileX2 size={22} aria-hidden />} title={t('This file is not text')}>
        {t('Download it to open it with another program.')}
      </Empty>
    );
  }
  if (isRendered) {
    return (
      <div
        role="group"
        aria-label={t('File content')}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-5 outline-offset-[-2px]"
      >
        <Markdown>{text}</Markdown>
      </div>
    );
  }
  return <TextView path={file.path} text={text} line={line} onEnd={more} />;
}
