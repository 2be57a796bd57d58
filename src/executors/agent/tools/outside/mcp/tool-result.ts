import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolOutput } from '../../../tool.ts';

const MAX_TEXT_CHARS = 1024 * 1024;
const MAX_IMAGES = 5;
const MAX_IMAGE_CHARS = 7 * 1024 * 1024;
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What a server answered: texts in their order, images beside them, the rest by name. */
export function toolResult(result: CallToolResult, redact: (text: string) => string): ToolOutput {
  const images = result.content.flatMap((item) => (item.type === 'image' ? [item] : [])).filter(isUsableImage);
  const lines = result.content.map(lineOf).filter((line) => line !== '');
  const structured = result.structuredContent;
  if (lines.length === 0 && structured !== undefined) lines.push(JSON.stringify(structured));
  const text = redact(lines.join('\n'));
  const cut = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}\n[… cut …]` : text;
  const shown = images.slice(0, MAX_IMAGES).map(({ mimeType, data }) => ({ mediaType: mimeType, data }));
  return {
    text: cut === '' && shown.length === 0 ? '(The server answered nothing.)' : cut,
    foreign: true,
    ...(shown.length === 0 ? {} : { images: shown }),
    ...(result.isError === true ? { isError: true } : {}),
  };
}

function lineOf(item: CallToolResult['content'][number]): string {
  switch (item.type) {
    case 'text':
      return item.text;
    case 'image':
      return isUsableImage(item) ? '' : `[an image (${item.mimeType}) that cannot be shown]`;
    case 'audio':
      return `[audio (${item.mimeType}) left out]`;
    case 'resource_link':
      return `[${item.name}: ${item.uri}]`;
    case 'resource':
      return 'text' in item.resource ? item.resource.text : `[${item.resource.uri}: not a text]`;
  }
}

function isUsableImage(item: { readonly mimeType: string; readonly data: string }): boolean {
  return IMAGE_TYPES.has(item.mimeType) && item.data.length <= MAX_IMAGE_CHARS;
}
