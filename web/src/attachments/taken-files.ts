import type { ClipboardEvent, DragEvent } from 'react';

type OnFiles = (files: readonly File[]) => void;

export const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Text is pasted as ever; pictures and files are taken. */
export function takePasted(event: ClipboardEvent, onFiles: OnFiles): void {
  const files = [...event.clipboardData.files];
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

export function takeDropped(event: DragEvent, onFiles: OnFiles): void {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  onFiles([...event.dataTransfer.files]);
}
