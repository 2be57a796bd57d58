import { readContent } from './content.ts';

/** Puts the bytes behind a hash among the downloads, under a name. They are never shown as a page of ours. */
export async function saveContent(itemId: string, hash: string, name: string): Promise<void> {
  const { bytes } = await readContent(itemId, hash);
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
