// A file as its name, kind and size.
import type { AttachedFile } from '@parley/client';
import { File, FileText } from 'lucide-react';
import { bytes } from '../ui/amounts.ts';

export function FileChip({ file: { name, mediaType, size, path } }: { file: AttachedFile }) {
  const ending = /\.([\p{L}\p{N}]{1,8})$/u.exec(name)?.[1]?.toUpperCase();
  const Icon = mediaType.startsWith('text/') || mediaType === 'application/pdf' ? FileText : File;
  return (
    <span
      title={path ?? name}
      className="flex max-w-64 items-center gap-2 rounded-xl border border-line bg-paper px-3 py-2 text-sm"
    >
      <Icon size={18} className="shrink-0 text-accent" aria-hidden />
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block text-soft text-xs tabular-nums">
          {[ending, size === undefined ? undefined : bytes(size)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  );
}
