// Accepts files dropped anywhere on its content.
import { type DragEvent, type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';

export function DropZone({
  onDrop,
  children,
}: {
  onDrop: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    <div
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-3 z-20 grid place-items-center rounded-card border-2 border-accent border-dashed bg-accent-wash/90 font-medium text-accent">
          {t('Drop files to attach them')}
        </div>
      )}
    </div>
  );
}
